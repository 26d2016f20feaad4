import { addressOf, useParameter } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Breadcrumbs } from '../../kit/breadcrumbs.tsx';
import { Copy } from '../../kit/copy.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Page } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { DateText, Period } from '../../kit/values.tsx';
import { CreditNoteTable } from '../../parts/billing/credit-note-table.tsx';
import { InvoiceStatus, isOverdue } from '../../parts/billing/status.tsx';
import { useTerms } from '../../parts/terms.ts';
import { DataError } from '../../shell/data-error.tsx';
import { notify } from '../../shell/notices.ts';
import { useWords } from '../../words/words.ts';
import { InvoiceActions } from './actions.tsx';
import { Attempts, History } from './activity.tsx';
import { InvoiceDocument } from './invoice.graphql';
import { type InvoiceView, invoiceOf } from './invoice-view.ts';
import { Paper } from './paper.tsx';

/** Invoice page: the document with explanations of its amounts, the payments, and the history. */
export default function InvoicePage() {
  const words = useWords('invoices');
  const id = useParameter('id');
  const { data, error, refetch } = useData(InvoiceDocument, { id });
  const invoice = data === null ? null : invoiceOf(data);
  if (invoice !== null) return <Shown invoice={invoice} onChanged={refetch} />;
  return (
    <Page
      title={words.title}
      breadcrumbs={<Breadcrumbs items={[{ label: words.all, href: addressOf('invoices') }]} />}
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {error === null && data === null && <Loading lines={8} />}
      {error === null && data !== null && <ErrorState title={words.notFound} />}
    </Page>
  );
}

type ShownProps = { readonly invoice: InvoiceView; readonly onChanged: () => void };

function Shown({ invoice, onChanged }: ShownProps) {
  const { now } = useKit();
  const words = useWords('invoices');
  const done = (text: string) => {
    notify(text);
    onChanged();
  };
  return (
    <Page
      title={invoice.invoiceNumber}
      breadcrumbs={<Breadcrumbs items={[{ label: words.all, href: addressOf('invoices') }]} />}
      status={<InvoiceStatus invoice={invoice} overdue={isOverdue(invoice, now())} />}
      subtitle={
        <Link kind="muted" href={addressOf('customer', { id: invoice.customerId })}>
          {invoice.customer.fullName || invoice.customer.email}
        </Link>
      }
      actions={<InvoiceActions invoice={invoice} onDone={done} />}
    >
      <Columns count="aside">
        <Stack>
          <Paper invoice={invoice} />
          <CreditNoteTable notes={invoice.creditNotes} />
          <Attempts invoice={invoice} />
        </Stack>
        <Stack>
          <Facts invoice={invoice} />
          <History invoice={invoice} />
        </Stack>
      </Columns>
    </Page>
  );
}

function Facts({ invoice }: { readonly invoice: InvoiceView }) {
  const words = useWords('invoices');
  const terms = useTerms();
  return (
    <Card title={words.details}>
      <FactList
        look="stacked"
        items={[
          { label: words.type, value: terms.invoiceType[invoice.invoiceType] },
          { label: words.period, value: <Period from={invoice.periodStart} until={invoice.periodEnd} /> },
          { label: words.issued, value: <DateText at={invoice.issueDate} /> },
          { label: words.dueDate, value: <DateText at={invoice.dueDate} /> },
          invoice.paidAt !== null && { label: words.paid, value: <DateText at={invoice.paidAt} /> },
          invoice.subscriptionId !== null && {
            label: words.subscription,
            value: (
              <Link href={addressOf('subscription', { id: invoice.subscriptionId })}>
                {invoice.planName ?? invoice.subscriptionId}
              </Link>
            ),
          },
          invoice.reference !== null && { label: words.reference, value: invoice.reference },
          invoice.poNumber !== null && { label: words.poNumber, value: invoice.poNumber },
          invoice.memo !== null && { label: words.memo, value: invoice.memo },
          { label: 'ID', value: <Copy value={invoice.id} /> },
        ]}
      />
    </Card>
  );
}
