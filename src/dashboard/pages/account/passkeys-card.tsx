import { useState } from 'react';
import type { ResultOf } from '../../../ui/documents.ts';
import { withProof } from '../../data/identity-confirmation.ts';
import { addPasskey, namedAddress, passkeySupport } from '../../data/passkeys.ts';
import { useViewer } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Link } from '../../kit/link.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { Problem } from '../../shell/entry/problem.tsx';
import { useAccountTask } from '../../shell/entry/use-account-task.ts';
import { notify } from '../../shell/notices.ts';
import { useWords } from '../../words/words.ts';
import type { AccountSettingsDocument } from './page.graphql';

const RemovePasskey = lazyPart(() => import('./passkey-dialogs.tsx').then((module) => module.RemovePasskey));
const RenamePasskey = lazyPart(() => import('./passkey-dialogs.tsx').then((module) => module.RenamePasskey));

type Passkey = ResultOf<typeof AccountSettingsDocument>['viewer']['passkeys'][number];

/** Explains why passkeys can't be added at this URL, and links to the URL where they can. */
function WhyNot() {
  const words = useWords('account');
  const { isEmailVerified } = useViewer();
  const support = passkeySupport();
  const named = namedAddress();
  if (!isEmailVerified) return <Callout>{words.verifyFirst}</Callout>;
  if (support === 'ready') return null;
  if (support === 'unsupported') return <Callout>{words.passkeysUnsupported}</Callout>;
  if (named === null) return <Callout>{words.passkeysNeedName}</Callout>;
  return (
    <Callout>
      {words.passkeysAtAddress} <Link href={named}>{named}</Link>
    </Callout>
  );
}

type ListProps = {
  readonly passkeys: readonly Passkey[];
  readonly onRename: (passkey: Passkey) => void;
  readonly onRemove: (passkey: Passkey) => void;
};

function PasskeyList({ passkeys, onRename, onRemove }: ListProps) {
  const words = useWords('account');
  return (
    <Table
      label={words.passkeys}
      rows={passkeys}
      rowKey={({ id }) => id}
      columns={[
        {
          id: 'name',
          title: words.passkeyName,
          cell: ({ name, isBackedUp }) => (
            <Stack gap={0}>
              <Text>{name}</Text>
              <Text size="sm" color="muted">
                {isBackedUp ? words.backedUp : words.notBackedUp}
              </Text>
            </Stack>
          ),
        },
        {
          id: 'added',
          title: words.added,
          priority: 'secondary',
          cell: ({ createdAt }) => <DateTime at={createdAt} />,
        },
        {
          id: 'used',
          title: words.lastUsed,
          priority: 'secondary',
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <DateTime at={lastUsedAt} />),
        },
        {
          id: 'actions',
          title: <Hidden>{words.actions}</Hidden>,
          align: 'end',
          cell: (passkey) => (
            <Row gap={2} justify="end" wrap={false}>
              <Button
                size="sm"
                kind="quiet"
                aria-label={words.renameOf({ name: passkey.name })}
                onPress={() => onRename(passkey)}
              >
                {words.rename}
              </Button>
              <Button
                size="sm"
                kind="quiet"
                aria-label={words.removeOf({ name: passkey.name })}
                onPress={() => onRemove(passkey)}
              >
                {words.remove}
              </Button>
            </Row>
          ),
        },
      ]}
    />
  );
}

type PasskeysCardProps = { readonly passkeys: readonly Passkey[]; readonly onChanged: () => void };

/**
 * Lists passkeys and adds, renames and removes them. Each change requires a recent confirmation of the user's identity.
 */
export function PasskeysCard({ passkeys, onChanged }: PasskeysCardProps) {
  const words = useWords('account');
  const { isEmailVerified } = useViewer();
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const { run, isRunning, problem } = useAccountTask();
  const add = async () => {
    if (!(await run(() => withProof(addPasskey)))) return;
    notify(words.passkeyAdded);
    onChanged();
  };
  return (
    <Card
      title={words.passkeys}
      actions={
        <Button
          size="sm"
          isDisabled={!isEmailVerified || passkeySupport() !== 'ready'}
          isPending={isRunning}
          onPress={() => void add()}
        >
          {words.addPasskey}
        </Button>
      }
    >
      <Stack>
        <Text as="p">{words.passkeysText}</Text>
        <WhyNot />
        <Problem text={problem} />
        {passkeys.length === 0 ? (
          <Text as="p" color="muted">
            {words.noPasskeys}
          </Text>
        ) : (
          <PasskeyList passkeys={passkeys} onRename={setRenamed} onRemove={setRemoved} />
        )}
      </Stack>
      {renamed !== null && (
        <RenamePasskey {...renamed} onClose={() => setRenamed(null)} onChanged={onChanged} />
      )}
      {removed !== null && (
        <RemovePasskey {...removed} onClose={() => setRemoved(null)} onChanged={onChanged} />
      )}
    </Card>
  );
}
