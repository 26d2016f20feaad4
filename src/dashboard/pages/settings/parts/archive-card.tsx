import { useState } from 'react';
import { base, environment } from '../../../data/place.ts';
import { useStore } from '../../../data/store.ts';
import { useHasRole, viewer } from '../../../data/viewer.ts';
import { Button } from '../../../kit/button.tsx';
import { Card, Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { AskDialog } from '../../../shell/ask-dialog.tsx';
import { useWords } from '../../../words/words.ts';
import { SettingsArchiveDocument } from '../settings.graphql';

type Props = { readonly id: string; readonly name: string };

/**
 * Removes the archived organization from the user's memberships, then reloads the dashboard, which selects another
 * organization.
 */
function leave(id: string): void {
  const known = viewer.get();
  if (known === null) return;
  viewer.set({
    ...known,
    memberships: known.memberships.filter(({ organizationId }) => organizationId !== id),
  });
  location.assign(`${base}/dashboard`);
}

/** Card that archives an organization. Shown to its owner in the live environment. */
export function ArchiveCard({ id, name }: Props) {
  const { archive: words } = useWords('settings');
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
      {isAsking && (
        <AskDialog
          document={SettingsArchiveDocument}
          input={{ id }}
          title={words.question}
          texts={[words.access, words.billing, words.balance, words.final]}
          confirm={words.title}
          typedName={name}
          onDone={() => leave(id)}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
