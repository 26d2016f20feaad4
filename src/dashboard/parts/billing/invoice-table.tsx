import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText, Money } from '../../kit/values.tsx';
import { useCustomerWords } from '../customer-words.ts';
import { useTerms } from '../terms.ts';
import { InvoiceLink } from './invoice-link.tsx';
import type { InvoiceRowFragment } from './invoice-row.graphql';
import { InvoiceStatus } from './status.tsx';

/** Lists a customer's or subscription's invoices. */
export function InvoiceTable({ invoices }: { readonly invoices: readonly InvoiceRowFragment[] }) {
  const { invoices: words } = useCustomerWords();
  const terms = useTerms();
  return (
    <Table
      label={words.number}
      rows={invoices}
      rowKey={({ id }) => id}
      empty={words.none}
      columns={[
        {
          id: 'number',
          title: words.number,
          cell: ({ id, invoiceNumber }) => <InvoiceLink id={id} number={invoiceNumber} />,
        },
        {
          id: 'status',
          title: words.status,
          cell: (invoice) => <InvoiceStatus invoice={invoice} />,
        },
        {
          id: 'type',
          title: words.type,
          priority: 'secondary',
          cell: ({ invoiceType }) => <Text color="muted">{terms.invoiceType[invoiceType]}</Text>,
        },
        { id: 'issued', title: words.issued, cell: ({ issueDate }) => <DateText at={issueDate} /> },
        {
          id: 'due',
          title: words.due,
          align: 'end',
          priority: 'secondary',
          cell: ({ amountDue, currency }) =>
            amountDue !== 0 && <Money minor={amountDue} currency={currency} />,
        },
        {
          id: 'total',
          title: words.total,
          align: 'end',
          cell: ({ total, currency }) => <Money minor={total} currency={currency} />,
        },
      ]}
    />
  );
}
