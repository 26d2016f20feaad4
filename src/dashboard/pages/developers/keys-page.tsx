import { useState } from 'react';
import { scopes } from '../../../domain/limits/permissions.ts';
import { useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Card, Row } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { DateText, DateTime } from '../../kit/values.tsx';
import { EmptyList } from '../../lists/empty-list.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { useDeveloperWords } from './developer-words.ts';
import { DeveloperKeyDeleteDocument, DeveloperKeysDocument, type DeveloperKeysQuery } from './keys.graphql';

const KeyPolicy = lazyPart(() => import('./key-policy.tsx').then((module) => module.KeyPolicy));
const NarrowKey = lazyPart(() => import('./narrow-key.tsx').then((module) => module.NarrowKey));
const NewKey = lazyPart(() => import('./new-key.tsx').then((module) => module.NewKey));

type Key = DeveloperKeysQuery['apiKeys']['nodes'][number];

/** Lists the API keys of the environment with their permissions and last use. */
export default function KeysPage() {
  const title = useWords('titles').apiKeys;
  const words = useDeveloperWords();
  const [search, change] = useAddressSearch();
  const [deleting, setDeleting] = useState<Key | null>(null);
  const [limited, setLimited] = useState<Key | null>(null);
  const [narrowed, setNarrowed] = useState<Key | null>(null);
  const { data, error, refetch } = useData(DeveloperKeysDocument, {});
  const open = () => change({ new: 'yes' }, { isNew: true });
  const keys = data?.apiKeys.nodes ?? [];
  return (
    <Page
      title={title}
      subtitle={words.keysAbout}
      actions={
        <Button kind="primary" onPress={open}>
          {words.createKey}
        </Button>
      }
    >
      {error !== null && data === null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={6} />}
      {data !== null && keys.length === 0 && (
        <EmptyList
          name="apiKeys"
          title={words.keysEmpty}
          action={<Button onPress={open}>{words.createKey}</Button>}
        >
          {words.keysEmptyAbout}
        </EmptyList>
      )}
      {keys.length > 0 && (
        <KeyTable keys={keys} onDelete={setDeleting} onNarrow={setNarrowed} onPolicy={setLimited} />
      )}
      {search['new'] !== undefined && <NewKey onClose={() => change({ new: undefined })} onDone={refetch} />}
      {narrowed !== null && <NarrowKey of={narrowed} onClose={() => setNarrowed(null)} onDone={refetch} />}
      {limited !== null && <KeyPolicy of={limited} onClose={() => setLimited(null)} />}
      {deleting !== null && (
        <AskDialog
          document={DeveloperKeyDeleteDocument}
          input={{ id: deleting.id }}
          title={words.removeTitle}
          texts={[words.removeText({ name: deleting.name })]}
          confirm={words.removeKey}
          typedName={deleting.name}
          done={words.removed}
          onDone={refetch}
          onClose={() => setDeleting(null)}
        />
      )}
    </Page>
  );
}

/** Shows the scopes of a key, with the number of areas if a scope doesn't apply to all areas. */
function Scopes({ of: { scopes: of, permissions } }: { readonly of: Pick<Key, 'scopes' | 'permissions'> }) {
  const words = useDeveloperWords();
  const countOf = (scope: string): number =>
    permissions.includes(`*:${scope}`) ? 0 : permissions.filter((each) => each.endsWith(`:${scope}`)).length;
  if (of.length === scopes.length && of.every((scope) => countOf(scope) === 0))
    return <Badge>{words.allScopes}</Badge>;
  return (
    <Row gap={1}>
      {of.map((scope) => (
        <Badge key={scope}>
          {countOf(scope) === 0
            ? words.scope[scope]
            : words.inAreas({ scope: words.scope[scope], count: countOf(scope) })}
        </Badge>
      ))}
    </Row>
  );
}

function Expiry({ at }: { readonly at: string | null }) {
  const words = useDeveloperWords();
  if (at === null) return words.never;
  // Keys expire in real time, even in a sandbox.
  if (new Date(at).getTime() <= Date.now()) return <Badge tone="negative">{words.expired}</Badge>;
  return <DateText at={at} />;
}

type KeyTableProps = {
  readonly keys: readonly Key[];
  readonly onDelete: (key: Key) => void;
  readonly onPolicy: (key: Key) => void;
  readonly onNarrow: (key: Key) => void;
};

/** Returns a column with a button for each key. */
const actionColumn = (
  id: string,
  title: string,
  nameOf: (values: { readonly name: string }) => string,
  onPress: (key: Key) => void,
) => ({
  id,
  title: <Hidden>{title}</Hidden>,
  align: 'end' as const,
  cell: (key: Key) => (
    <Button size="sm" kind="quiet" aria-label={nameOf({ name: key.name })} onPress={() => onPress(key)}>
      {title}
    </Button>
  ),
});

function KeyTable({ keys, onDelete, onPolicy, onNarrow }: KeyTableProps) {
  const words = useDeveloperWords();
  const title = useWords('titles').apiKeys;
  return (
    <Card padding="none">
      <Table
        label={title}
        rows={keys}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'name',
            title: words.name,
            cell: ({ name, prefix }) => (
              <>
                <Text as="div" weight="medium">
                  {name}
                </Text>
                <Text as="div" size="sm" color="muted" code>
                  {prefix}…
                </Text>
              </>
            ),
          },
          {
            id: 'scopes',
            title: words.scopes,
            priority: 'secondary',
            cell: (key) => <Scopes of={key} />,
          },
          {
            id: 'used',
            title: words.lastUsed,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.neverUsed : <DateTime at={lastUsedAt} />),
          },
          {
            id: 'expires',
            title: words.expires,
            priority: 'secondary',
            cell: ({ expiresAt }) => <Expiry at={expiresAt} />,
          },
          {
            id: 'created',
            title: words.created,
            priority: 'secondary',
            cell: ({ createdAt }) => <DateText at={createdAt} />,
          },
          actionColumn('narrow', words.narrow, words.narrowOf, onNarrow),
          actionColumn('policy', words.policy, words.policyOf, onPolicy),
          actionColumn('delete', words.remove, words.removeOf, onDelete),
        ]}
      />
    </Card>
  );
}
