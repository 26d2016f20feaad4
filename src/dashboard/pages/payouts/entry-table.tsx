import { addressOf } from '../../address.ts';
import { Link } from '../../kit/link.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { DateTime, Money } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';
import type { BalanceEntryRowFragment } from './balance.graphql';

type Entry = BalanceEntryRowFragment;

type EntryTableProps = {
  readonly label: string;
  readonly rows: readonly Entry[];
  /** True to omit the customer column, as in a sheet. */
  readonly isNarrow?: boolean;
};

export function EntryTable({ label, rows, isNarrow = false }: EntryTableProps) {
  const { amount, entries: words } = useWords('payouts');
  const customer: TableColumn<Entry> = {
    id: 'customer',
    title: words.customer,
    priority: 'secondary',
    cell: ({ customer: of }) => of !== null && (of.fullName || of.email),
  };
  return (
    <Table
      label={label}
      rows={rows}
      rowKey={({ entryId }) => entryId}
      empty={words.none}
      columns={[
        { id: 'time', title: words.time, cell: ({ occurredAt }) => <DateTime at={occurredAt} /> },
        {
          id: 'kind',
          title: words.kind,
          cell: ({ kind, transaction }) =>
            transaction === null ? (
              words.kinds[kind]
            ) : (
              <Link href={addressOf('payment', { id: transaction.id })}>{words.kinds[kind]}</Link>
            ),
        },
        ...(isNarrow ? [] : [customer]),
        {
          id: 'amount',
          title: amount,
          align: 'end',
          cell: (entry) => <Money minor={entry.amount} currency="usd" />,
        },
      ]}
    />
  );
}
