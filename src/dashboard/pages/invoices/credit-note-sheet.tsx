import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { DateText, Money } from '../../kit/values.tsx';
import { useTerms } from '../../parts/terms.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { CreditNoteDocument, type CreditNoteQuery } from './credit-notes.graphql';

type Details = Extract<NonNullable<CreditNoteQuery['node']>, { readonly creditNoteNumber: string }>;

const noteOf = (node: CreditNoteQuery['node']): Details | null =>
  node !== null && 'creditNoteNumber' in node ? node : null;

/** Sheet with a credit note's amounts, and with links to its invoice, customer, refunded payment, and PDF. */
export function CreditNoteSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWords('invoices');
  const { data, error, refetch } = useData(CreditNoteDocument, { id });
  const note = data === null ? null : noteOf(data.node);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={note === null ? words.tabs.creditNotes : note.creditNoteNumber}
      {...(note !== null && {
        actions: (
          <LinkButton href={note.downloadUrl} target="_blank">
            {words.download}
          </LinkButton>
        ),
      })}
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {note === null && error === null && <Loading lines={8} />}
      {note !== null && (
        <Stack gap={5}>
          <Facts note={note} />
          <Amounts note={note} />
        </Stack>
      )}
    </Sheet>
  );
}

function Facts({ note }: { readonly note: Details }) {
  const words = useWords('invoices');
  const { creditNote: terms } = useTerms();
  const { customer, invoice, refund } = note;
  return (
    <FactList
      items={[
        {
          label: words.customer,
          value: (
            <Link href={addressOf('customer', { id: customer.id })}>
              {customer.fullName || customer.email}
            </Link>
          ),
        },
        {
          label: words.creditNotes.invoice,
          value: <Link href={addressOf('invoice', { id: invoice.id })}>{invoice.invoiceNumber}</Link>,
        },
        { label: terms.reason, value: terms.reasons[note.reason] },
        note.description !== null && { label: words.line, value: note.description },
        refund !== null && {
          label: words.creditNotes.payment,
          value: (
            <Link href={addressOf('payment', { id: refund.transactionId })}>
              {words.creditNotes.openPayment}
            </Link>
          ),
        },
        { label: terms.issued, value: <DateText at={note.issueDate} /> },
        { label: 'ID', value: <Copy value={note.id} /> },
      ]}
    />
  );
}

function Amounts({ note }: { readonly note: Details }) {
  const words = useWords('invoices');
  const { creditNote: terms } = useTerms();
  const money = (minor: number) => <Money minor={minor} currency={note.currency} />;
  return (
    <Stack gap={4}>
      <Card padding="none">
        <Table
          label={words.line}
          rows={note.lineItems}
          rowKey={({ invoiceLineId }) => invoiceLineId}
          columns={[
            { id: 'line', title: words.line, cell: ({ description }) => description },
            { id: 'amount', title: words.amount, align: 'end', cell: ({ amount }) => money(amount) },
          ]}
        />
      </Card>
      <FactList
        look="sums"
        items={[
          { label: words.subtotal, value: money(note.subtotal) },
          { label: words.creditNotes.tax, value: money(note.taxAmount) },
          { label: terms.amount, value: money(note.total) },
        ]}
      />
    </Stack>
  );
}
