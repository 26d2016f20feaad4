import { useState } from 'react';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { base, environment } from '../../../data/place.ts';
import { useStore } from '../../../data/store.ts';
import { useHasRole, viewer } from '../../../data/viewer.ts';
import { Button } from '../../../kit/button.tsx';
import { ConfirmDialog } from '../../../kit/dialog.tsx';
import { Card, Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { Rejection } from '../../../shell/rejection.tsx';
import type { settings } from '../../../words/en/settings.ts';
import { useWords } from '../../../words/words.ts';
import { SettingsArchiveDocument } from '../settings.graphql';

type Props = { readonly id: string; readonly name: string };

/** Forgets a membership, so that the next organization is chosen. */
function leave(id: string): void {
  const known = viewer.get();
  if (known === null) return;
  viewer.set({
    ...known,
    memberships: known.memberships.filter(({ organizationId }) => organizationId !== id),
  });
}

/** Asks before the organization is archived, and has its name typed. Then the dashboard is loaded again, without it. */
function ArchiveDialog({ id, name, onClose }: Props & { readonly onClose: () => void }) {
  const { archive: words } = useWords<typeof settings>('settings');
  const [archive, { isRunning, error }] = useAction(SettingsArchiveDocument);
  const confirm = async () => {
    if ((await archive({ input: { id } })) instanceof ApiError) return;
    leave(id);
    location.assign(`${base}/dashboard`);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.title}
      confirm={words.title}
      typedName={name}
      isPending={isRunning}
      onConfirm={() => void confirm()}
    >
      <Stack gap={2}>
        <Text as="p">{words.access}</Text>
        <Text as="p">{words.billing}</Text>
        <Text as="p">{words.balance}</Text>
        <Text as="p">{words.final}</Text>
        <Rejection error={error} />
      </Stack>
    </ConfirmDialog>
  );
}

/** The end of an organization: for its owner, in live. */
export function ArchiveCard({ id, name }: Props) {
  const { archive: words } = useWords<typeof settings>('settings');
  const isOwner = useHasRole('owner');
  const where = useStore(environment);
  const [isAsking, setAsking] = useState(false);
  if (!isOwner || where !== 'live') return null;
  return (
    <Card title={words.title}>
      <Stack gap={3}>
        <Text as="p">{words.text}</Text>
        <div>
          <Button kind="danger" onPress={() => setAsking(true)}>
            {words.title}
          </Button>
        </div>
      </Stack>
      {isAsking && <ArchiveDialog id={id} name={name} onClose={() => setAsking(false)} />}
    </Card>
  );
}
