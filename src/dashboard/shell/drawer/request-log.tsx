import { requests } from '../../data/requests.ts';
import { useStore } from '../../data/store.ts';
import { Copy } from '../../kit/copy.tsx';
import { RequestStatus } from '../../kit/request-status.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';

/** Lists the requests of this tab with their result, duration and cost, newest first. */
export function RequestLog() {
  const words = useWords('drawer');
  return (
    <Table
      label={words.requests}
      rows={useStore(requests)}
      rowKey={({ number }) => number}
      columns={[
        { id: 'at', title: words.at, cell: ({ at }) => <DateTime at={at} /> },
        {
          id: 'name',
          title: words.request,
          cell: ({ name }) => (
            <Text code size="sm">
              {name}
            </Text>
          ),
        },
        {
          id: 'status',
          title: words.status,
          cell: ({ status, code }) => <RequestStatus status={status} code={code} />,
        },
        {
          id: 'time',
          title: words.milliseconds,
          align: 'end',
          cell: ({ milliseconds }) => <Count value={Math.round(milliseconds)} />,
        },
        {
          id: 'cost',
          title: words.cost,
          align: 'end',
          cell: ({ cost }) => (cost === null ? '–' : <Count value={cost} />),
        },
        {
          id: 'id',
          title: words.requestId,
          priority: 'secondary',
          cell: ({ requestId }) => (requestId === null ? '–' : <Copy value={requestId} />),
        },
      ]}
      empty={<EmptyState title={words.noRequests} />}
    />
  );
}
