import { moneyText } from '../../../ui/format/money.ts';
import { addressOf, useParameter } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Breadcrumbs } from '../../kit/breadcrumbs.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Copy } from '../../kit/copy.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Page } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { DateText, DateTime, Money } from '../../kit/values.tsx';
import { DeclineText, TransactionStatus } from '../../parts/billing/status.tsx';
import { ObjectEvents } from '../../parts/events/object-events.tsx';
import { useCardText, useTerms } from '../../parts/terms.ts';
import { DataError } from '../../shell/data-error.tsx';
import { notify } from '../../shell/notices.ts';
import { useWords } from '../../words/words.ts';
import { Collection, Reports } from './collection.tsx';
import { Dispute } from './dispute.tsx';
import { MoneyFlow } from './money-flow.tsx';
import { RefundStatus } from './refund-status.tsx';
import { TransactionDocument } from './transaction.graphql';
import { TransactionActions } from './transaction-actions.tsx';
import { type TransactionView, transactionOf } from './transaction-view.ts';

/** Payment attempt page with fees and net amount. */
export default function TransactionPage() {
  const words = useWords('payments');
  const id = useParameter('id');
  const { data, error, refetch } = useData(TransactionDocument, { id });
  useRefetchOnEvents({ objectId: id }, refetch);
  const transaction = data === null ? null : transactionOf(data);
  if (transaction !== null) return <Shown transaction={transaction} onChanged={refetch} />;
  return (
    <Page title={words.title}>
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {error === null && data === null && <Loading lines={6} />}
      {error === null && data !== null && <ErrorState title={words.notFound} />}
    </Page>
  );
}

type ShownProps = { readonly transaction: TransactionView; readonly onChanged: () => void };

function Shown({ transaction, onChanged }: ShownProps) {
  const { locale } = useKit();
  const words = useWords('payments');
  const terms = useTerms();
  const { customer, currency } = transaction;
  const done = (text: string) => {
    notify(text);
    onChanged();
  };
  return (
    <Page
      title={words.paymentOf({ amount: moneyText(transaction.amount, currency, locale) })}
      status={<TransactionStatus status={transaction.status} />}
      breadcrumbs={<Breadcrumbs items={[{ label: words.all, href: addressOf('payments') }]} />}
      subtitle={
        <Link kind="muted" href={addressOf('customer', { id: customer.id })}>
          {customer.fullName || customer.email}
        </Link>
      }
      actions={<TransactionActions transaction={transaction} onDone={done} />}
    >
      <Stack>
        {transaction.declineCode !== null && (
          <Callout tone="warning" title={terms.transactionStatus.failed}>
            <DeclineText code={transaction.declineCode} />
          </Callout>
        )}
        <Dispute transaction={transaction} onDone={done} />
        <Collection transaction={transaction} onDone={done} />
        <Columns count="aside">
          <Stack>
            <MoneyFlow transaction={transaction} />
            <Refunds transaction={transaction} />
            <Reports transaction={transaction} />
            <Card title={words.history}>
              <ObjectEvents id={transaction.id} />
            </Card>
          </Stack>
          <Facts transaction={transaction} />
        </Columns>
      </Stack>
    </Page>
  );
}

type Refund = TransactionView['refunds'][number];

function Refunds({ transaction: { refunds } }: { readonly transaction: TransactionView }) {
  const words = useWords('payments');
  const columns: TableColumn<Refund>[] = [
    { id: 'time', title: words.time, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    {
      id: 'reason',
      title: words.reason,
      cell: ({ reason }) => (reason === null ? '–' : words.refundReasons[reason]),
    },
    {
      id: 'status',
      title: words.status,
      cell: ({ status }) => <RefundStatus status={status} />,
    },
    {
      id: 'amount',
      title: words.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
    },
  ];
  return (
    <Card title={words.refunds} padding="none">
      <Table
        label={words.refunds}
        columns={columns}
        rows={refunds}
        rowKey={({ id }) => id}
        empty={words.noRefunds}
      />
    </Card>
  );
}

function Facts({ transaction }: { readonly transaction: TransactionView }) {
  const words = useWords('payments');
  const cardText = useCardText();
  const { currency, invoice, paymentMethod, subscription } = transaction;
  /** Shows an amount in a currency. Defaults to the currency of the charge; fees are in US cents. */
  const money = (minor: number | null, unit = currency) =>
    minor !== null && <Money minor={minor} currency={unit} />;
  return (
    <Card title={words.details}>
      <FactList
        look="stacked"
        items={[
          { label: words.amount, value: money(transaction.amount) },
          { label: words.subtotal, value: money(transaction.subtotal, 'usd') },
          { label: words.tax, value: money(transaction.taxAmount, 'usd') },
          transaction.refundedAmount > 0 && {
            label: words.refunded,
            value: money(transaction.refundedAmount),
          },
          {
            label: words.method,
            value: paymentMethod === null ? words.unknownMethod : cardText(paymentMethod),
          },
          { label: words.provider, value: words.providers[transaction.provider] },
          subscription !== null && {
            label: words.subscription,
            value: (
              <Link href={addressOf('subscription', { id: subscription.id })}>{subscription.plan.name}</Link>
            ),
          },
          invoice !== null && {
            label: words.invoice,
            value: <Link href={addressOf('invoice', { id: invoice.id })}>{invoice.invoiceNumber}</Link>,
          },
          { label: words.flow.created, value: <DateTime at={transaction.createdAt} /> },
          transaction.collectionOn !== null && {
            label: words.debit.collectionOn,
            value: <DateText at={transaction.collectionOn} />,
          },
          transaction.expectedOn !== null && {
            label: words.debit.expectedOn,
            value: <DateText at={transaction.expectedOn} />,
          },
          transaction.latestOn !== null && {
            label: words.debit.latestOn,
            value: <DateText at={transaction.latestOn} />,
          },
          transaction.returnedAt !== null && {
            label: words.debit.returnedAt,
            value: <DateTime at={transaction.returnedAt} />,
          },
          transaction.paidAt !== null && {
            label: words.flow.paid,
            value: <DateTime at={transaction.paidAt} />,
          },
          transaction.availableAt !== null && {
            label: words.flow.available,
            value: <DateText at={transaction.availableAt} />,
          },
          { label: 'ID', value: <Copy value={transaction.id} /> },
          transaction.providerReference !== null && {
            label: words.reference,
            value: <Copy value={transaction.providerReference} />,
          },
        ]}
      />
    </Card>
  );
}
