import { Card } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText, Money } from '../../kit/values.tsx';
import { useTerms } from '../terms.ts';
import type { CreditNoteRowFragment } from './credit-note-row.graphql';

/** Lists credit notes with links to their PDFs. */
export function CreditNoteTable({ notes }: { readonly notes: readonly CreditNoteRowFragment[] }) {
  const { creditNote: words } = useTerms();
  if (notes.length === 0) return null;
  return (
    <Card title={words.title} padding="none">
      <Table
        label={words.title}
        rows={notes}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'number',
            title: words.number,
            cell: ({ creditNoteNumber, downloadUrl }) => (
              <Link href={downloadUrl} target="_blank">
                {creditNoteNumber}
              </Link>
            ),
          },
          { id: 'issued', title: words.issued, cell: ({ issueDate }) => <DateText at={issueDate} /> },
          {
            id: 'reason',
            title: words.reason,
            priority: 'secondary',
            cell: ({ reason }) => <Text color="muted">{words.reasons[reason]}</Text>,
          },
          {
            id: 'total',
            title: words.amount,
            align: 'end',
            cell: ({ total, currency }) => <Money minor={total} currency={currency} />,
          },
        ]}
      />
    </Card>
  );
}
