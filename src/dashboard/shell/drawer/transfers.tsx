import { useData } from '../../data/hooks.ts';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { DateTime, Money } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';
import { DataError } from '../data-error.tsx';
import { DrawerTransfersDocument, type DrawerTransfersQueryVariables } from './about.graphql';

type Filter = DrawerTransfersQueryVariables['filter'];

/** Returns the text for a key. Falls back to the key itself. */
const textOf = (texts: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(texts, key) ? (texts[key] ?? key) : key;

/** Lists the ledger transfers of the page's object, newest first. */
export function Transfers({ filter }: { readonly filter: Filter }) {
  const words = useWords('drawer');
  const books = useWords('ledger');
  const { data, error, refetch } = useData(DrawerTransfersDocument, { filter });
  if (error !== null && data === null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={6} />;
  return (
    <Table
      label={words.ledger}
      rows={data.ledgerTransfers.nodes}
      rowKey={({ id }) => id}
      columns={[
        { id: 'at', title: words.at, cell: ({ occurredAt }) => <DateTime at={occurredAt} /> },
        { id: 'fact', title: books.fact, cell: ({ fact }) => textOf(books.facts, fact) },
        { id: 'from', title: books.from, cell: ({ debitAccount }) => textOf(books.accounts, debitAccount) },
        { id: 'to', title: books.to, cell: ({ creditAccount }) => textOf(books.accounts, creditAccount) },
        {
          id: 'amount',
          title: books.amount,
          align: 'end',
          cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
        },
      ]}
      empty={<EmptyState title={words.noTransfers} />}
    />
  );
}
