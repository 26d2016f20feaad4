import { useState } from 'react';
import { useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Page } from '../../kit/page.tsx';
import { PlainButton } from '../../kit/plain-button.tsx';
import { RequestStatus } from '../../kit/request-status.tsx';
import { Select } from '../../kit/select.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { SearchField } from '../../kit/text-field.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { RequestListDocument, type RequestRowFragment } from './requests.graphql';

const RequestSheet = lazyPart(() => import('./request-sheet.tsx').then((module) => module.RequestSheet));

const useRequestWords = () => useWords('requests');

const outcomes = ['all', 'failed', 'succeeded'] as const;
type Outcome = (typeof outcomes)[number];

/** Filter by outcome, as the query expects it. */
const failedOf = (outcome: string): boolean | null => (outcome === 'all' ? null : outcome === 'failed');

/** Filter by a search text: an operation such as `customerCreate`, a customer, or a text in a body. */
function searchOf(text: string): { operation?: string; customerId?: string; text?: string } {
  if (/^cus_\w+$/.test(text)) return { customerId: text };
  if (/^[a-z]+[A-Z]\w*$/.test(text)) return { operation: text };
  return text.length >= 3 ? { text } : {};
}

/** Lists the requests of API keys and members, newest first. */
export default function RequestsPage() {
  const title = useWords('titles').requests;
  const words = useRequestWords();
  const [search, change] = useAddressSearch();
  const [outcome, setOutcome] = useState<Outcome>('all');
  const [text, setText] = useState('');
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const after = cursors.at(-1) ?? null;
  const { data, error, isLoading, refetch } = useData(RequestListDocument, {
    after,
    failed: failedOf(outcome),
    ...searchOf(text),
  });
  const page = data?.requestLog;
  const opened = search['open'];
  const searchFor = (value: string) => {
    setCursors([]);
    setText(value);
  };
  return (
    <Page
      title={title}
      subtitle={words.about}
      actions={
        <Button onPress={refetch} isDisabled={isLoading}>
          {words.refresh}
        </Button>
      }
    >
      <Stack gap={4}>
        <Row gap={3}>
          <SearchField
            label={words.search}
            onSubmit={(value) => searchFor(value.trim())}
            onClear={() => searchFor('')}
          />
          <Select
            label={words.outcome}
            value={outcome}
            options={outcomes.map((value) => ({ value, label: words.outcomes[value] }))}
            onChange={(value) => {
              setCursors([]);
              setOutcome(outcomes.find((one) => one === value) ?? 'all');
            }}
          />
        </Row>
        {error !== null && data === null && <DataError error={error} onRetry={refetch} />}
        {page === undefined && error === null && <Loading lines={8} />}
        {page !== undefined && <RequestTable rows={page.nodes} onOpen={(id) => change({ open: id })} />}
        {page !== undefined && (
          <Row gap={2}>
            {cursors.length > 0 && (
              <Button onPress={() => setCursors(cursors.slice(0, -1))}>{words.newer}</Button>
            )}
            {page.pageInfo.hasNextPage && page.pageInfo.endCursor !== null && (
              <Button onPress={() => setCursors([...cursors, String(page.pageInfo.endCursor)])}>
                {words.older}
              </Button>
            )}
          </Row>
        )}
      </Stack>
      {opened !== undefined && <RequestSheet id={opened} onClose={() => change({ open: undefined })} />}
    </Page>
  );
}

type RequestTableProps = {
  readonly rows: readonly RequestRowFragment[];
  readonly onOpen: (id: string) => void;
};

function RequestTable({ rows, onOpen }: RequestTableProps) {
  const title = useWords('titles').requests;
  const words = useRequestWords();
  return (
    <Card padding="none">
      <Table
        label={title}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { id: 'at', title: words.time, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          {
            id: 'operation',
            title: words.request,
            cell: ({ id, operation, method, route }) => (
              <PlainButton onPress={() => onOpen(id)}>
                <Text as="div" code size="sm">
                  {operation || '–'}
                </Text>
                <Text as="div" size="sm" color="muted" code>
                  {method} {route}
                </Text>
              </PlainButton>
            ),
          },
          {
            id: 'status',
            title: words.status,
            cell: ({ status, code }) => <RequestStatus status={status} code={code} />,
          },
          {
            id: 'transport',
            title: words.interface,
            priority: 'secondary',
            cell: ({ transport }) => words.interfaces[transport],
          },
          {
            id: 'milliseconds',
            title: words.milliseconds,
            align: 'end',
            cell: ({ milliseconds }) => <Count value={milliseconds} />,
          },
          {
            id: 'count',
            title: words.count,
            align: 'end',
            priority: 'secondary',
            cell: ({ count }) => <Count value={count} />,
          },
        ]}
        empty={<EmptyState title={words.empty} />}
      />
    </Card>
  );
}
