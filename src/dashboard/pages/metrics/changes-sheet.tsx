import { useEffect } from 'react';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { DateText } from '../../kit/values.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { PagesOf } from '../../parts/load-more.tsx';
import { useRates } from '../../parts/metrics/amounts.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { MrrChangesDocument, type MrrChangesQuery } from './changes.graphql';
import type { ChangesFilter } from './changes.ts';
import { useDaysText } from './use-chart-values.ts';

type Connection = MrrChangesQuery['mrrChanges'];

type ChangesPageProps = {
  readonly filter: ChangesFilter;
  readonly after: string | null;
  readonly onConnection: (connection: Connection) => void;
};

function ChangesPage({ filter, after, onConnection }: ChangesPageProps) {
  const words = useWords('mrr');
  const { data, error, refetch } = useData(MrrChangesDocument, { ...filter, after });
  const connection = data?.mrrChanges ?? null;
  useEffect(() => {
    if (connection !== null) onConnection(connection);
  }, [connection, onConnection]);
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (connection === null) return <Loading lines={6} />;
  if (connection.nodes.length === 0) return <EmptyState title={words.nothingMoved} />;
  return (
    <Table
      label={words.changes}
      rows={connection.nodes.map((row, index) => ({ ...row, key: `${row.customer.id} ${row.day} ${index}` }))}
      rowKey={({ key }) => key}
      columns={[
        {
          id: 'customer',
          title: words.customer,
          cell: ({ customer: { id, fullName, email } }) => (
            <Link href={addressOf('customer', { id })}>{fullName ?? email ?? id}</Link>
          ),
        },
        { id: 'day', title: words.day, cell: ({ day }) => <DateText at={day} /> },
        { id: 'kind', title: words.kind, priority: 'secondary', cell: ({ kind }) => words.kinds[kind] },
        { id: 'reason', title: words.reason, cell: ({ reason }) => words.reasons[reason] },
        {
          id: 'amount',
          title: words.amount,
          align: 'end',
          cell: ({ before, after: now, currency }) => (
            <Moved before={before} after={now} currency={currency} />
          ),
        },
      ]}
    />
  );
}

type MovedProps = { readonly before: number; readonly after: number; readonly currency: string };

function Moved({ before, after, currency }: MovedProps) {
  const words = useWords('mrr');
  const { format } = useRates(currency);
  return words.fromTo({ before: format(before), after: format(after) });
}

/** Sheet with the MRR changes of individual customers that make up a bar of the chart, newest first. */
export function ChangesSheet({
  filter,
  onClose,
}: {
  readonly filter: ChangesFilter;
  readonly onClose: () => void;
}) {
  const words = useWords('mrr');
  const days = useDaysText();
  const { from, to, kind, reason } = filter;
  const exported = {
    day: { from, to },
    ...(kind != null && { kinds: [kind] }),
    ...(reason != null && { reasons: [reason] }),
  };
  return (
    <Sheet
      isOpen
      size="lg"
      onClose={onClose}
      title={words.changes}
      subtitle={[
        days({ start: from, end: to }),
        kind != null && words.kinds[kind],
        reason != null && words.reasons[reason],
      ]
        .filter(Boolean)
        .join(' · ')}
    >
      <Stack>
        <Row>
          <ExportButton kind="mrr_changes" variables={{ filter: exported }} />
        </Row>
        <PagesOf
          key={JSON.stringify(filter)}
          page={(after, hand) => <ChangesPage filter={filter} after={after} onConnection={hand} />}
        />
      </Stack>
    </Sheet>
  );
}
