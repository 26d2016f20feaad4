import { addressOf, useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Card, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime, RelativeTime } from '../../kit/values.tsx';
import { EmptyList } from '../../lists/empty-list.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { ApprovalState, RequestedAmount } from './approval-parts.tsx';
import { DeveloperApprovalsDocument } from './approvals.graphql';
import { useDeveloperWords } from './developer-words.ts';

/** Event types that change the list. */
const changes = ['approval_'] as const;

/** Lists requests for approval: those that wait for a decision, or all. Updates live. */
export default function ApprovalsPage() {
  const title = useWords('titles').approvals;
  const words = useDeveloperWords();
  const [search] = useAddressSearch();
  const isAll = search['status'] === 'all';
  const { data, error, refetch } = useData(DeveloperApprovalsDocument, { status: isAll ? null : 'pending' });
  useRefetchOnEvents({ kinds: changes }, refetch);
  const rows = data?.approvals.nodes ?? [];
  return (
    <Page title={title} subtitle={words.approvalsAbout}>
      <Stack gap={5}>
        <LinkTabs
          label={title}
          selected={isAll ? 'all' : 'pending'}
          items={[
            { id: 'pending', label: words.approvalStatus.pending, href: addressOf('approvals') },
            { id: 'all', label: words.allApprovals, href: addressOf('approvals', null, { status: 'all' }) },
          ]}
        />
        {error !== null && data === null && <DataError error={error} onRetry={refetch} />}
        {data === null && error === null && <Loading lines={6} />}
        {data !== null && rows.length === 0 && (
          <EmptyList name="approvals" title={words.approvalsEmpty}>
            {words.approvalsEmptyAbout}
          </EmptyList>
        )}
        {rows.length > 0 && (
          <Card padding="none">
            <Table
              label={title}
              rows={rows}
              rowKey={({ id }) => id}
              columns={[
                {
                  id: 'operation',
                  title: words.operation,
                  cell: ({ id, operation }) => <Link href={addressOf('approval', { id })}>{operation}</Link>,
                },
                {
                  id: 'caller',
                  title: words.requestedBy,
                  cell: ({ apiKey, customer }) => <Text>{apiKey?.name ?? customer?.email ?? '–'}</Text>,
                },
                {
                  id: 'amount',
                  title: words.requestedAmount,
                  align: 'end',
                  cell: (row) => <RequestedAmount of={row} />,
                },
                {
                  id: 'status',
                  title: words.status,
                  cell: ({ status }) => <ApprovalState of={status} />,
                },
                {
                  id: 'created',
                  title: words.requestedAt,
                  priority: 'secondary',
                  cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
                },
                {
                  id: 'expires',
                  title: words.expires,
                  priority: 'secondary',
                  cell: ({ expiresAt }) => <DateTime at={expiresAt} />,
                },
              ]}
            />
          </Card>
        )}
      </Stack>
    </Page>
  );
}
