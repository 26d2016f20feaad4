import { moneyText } from '../../../ui/format/money.ts';
import { useCommandAddress } from '../../commands/actions.tsx';
import { useData } from '../../data/hooks.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { DateTime, Money } from '../../kit/values.tsx';
import { InvoiceLink } from '../../parts/billing/invoice-link.tsx';
import { PaymentStatus, TransactionStatus, useDeclineText } from '../../parts/billing/status.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { useCardText, useTerms } from '../../parts/terms.ts';
import { CustomerPaymentsDocument, type CustomerPaymentsQuery } from './tabs.graphql';

type Transaction = CustomerPaymentsQuery['customer']['transactions']['nodes'][number];
type Payment = CustomerPaymentsQuery['customer']['payments']['nodes'][number];

/** Shows why a payment was declined or disputed, with a button that retries a declined payment. */
function Reason({
  transaction: { id, status, declineCode, disputeReason, invoice },
}: {
  readonly transaction: Transaction;
}) {
  const declineText = useDeclineText();
  const { payments: words } = useCustomerWords();
  const { open } = useCommandAddress();
  const reason = declineCode ?? disputeReason;
  return (
    <>
      {reason && <Text size="sm">{declineText(reason)}</Text>}
      {status === 'failed' && invoice?.status === 'outstanding' && (
        <Button size="sm" kind="quiet" onPress={() => open('retry', id)}>
          {words.retry}
        </Button>
      )}
    </>
  );
}

function Attempts({ transactions }: { readonly transactions: readonly Transaction[] }) {
  const { payments: words } = useCustomerWords();
  const cardText = useCardText();
  const { locale } = useKit();
  return (
    <Table
      label={words.attempts}
      rows={transactions}
      rowKey={({ id }) => id}
      empty={words.none}
      columns={[
        {
          id: 'amount',
          title: words.amount,
          align: 'end',
          cell: ({ amount, currency, refundedAmount }) => (
            <Stack gap={0}>
              <Money minor={amount} currency={currency} />
              {refundedAmount > 0 && (
                <Text size="sm" color="muted">
                  {words.refunded({ amount: moneyText(refundedAmount, currency, locale) })}
                </Text>
              )}
            </Stack>
          ),
        },
        {
          id: 'status',
          title: words.status,
          cell: ({ status }) => <TransactionStatus status={status} />,
        },
        { id: 'reason', title: words.reason, cell: (transaction) => <Reason transaction={transaction} /> },
        {
          id: 'method',
          title: words.method,
          priority: 'secondary',
          cell: ({ paymentMethod }) => paymentMethod && cardText(paymentMethod),
        },
        {
          id: 'invoice',
          title: words.invoice,
          priority: 'secondary',
          cell: ({ invoice }) => invoice && <InvoiceLink id={invoice.id} number={invoice.invoiceNumber} />,
        },
        { id: 'time', title: words.time, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
      ]}
    />
  );
}

/** Lists one-time payments and payment links. */
function OneTime({ payments }: { readonly payments: readonly Payment[] }) {
  const { payments: words } = useCustomerWords();
  const terms = useTerms();
  return (
    <Section title={words.oneTime}>
      <Table
        label={words.oneTime}
        rows={payments}
        rowKey={({ id }) => id}
        empty={words.noOneTime}
        columns={[
          {
            id: 'amount',
            title: words.amount,
            align: 'end',
            cell: ({ amountTotal, currency }) => <Money minor={amountTotal} currency={currency} />,
          },
          {
            id: 'status',
            title: words.status,
            cell: ({ status }) => <PaymentStatus status={status} />,
          },
          { id: 'what', title: words.description, cell: ({ description }) => description },
          {
            id: 'kind',
            title: words.kind,
            priority: 'secondary',
            cell: ({ kind }) => terms.paymentKind[kind],
          },
          { id: 'time', title: words.time, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          {
            id: 'link',
            title: <Hidden>{words.link}</Hidden>,
            cell: ({ url, status }) =>
              url &&
              status === 'pending' && (
                <LinkButton size="sm" href={url} target="_blank">
                  {words.link}
                </LinkButton>
              ),
          },
        ]}
      />
    </Section>
  );
}

type PageProps = {
  readonly id: string;
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function PaymentPage({ id, after, onConnection }: PageProps) {
  const { data, error } = useData(CustomerPaymentsDocument, { id, first: 50, after });
  const transactions = data?.customer.transactions;
  useConnection(transactions, onConnection);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null || transactions === undefined) return <Loading />;
  return (
    <Stack gap={6}>
      <Attempts transactions={transactions.nodes} />
      {after === null && <OneTime payments={data.customer.payments.nodes} />}
    </Stack>
  );
}

/** Lists a customer's payments, including failed attempts. */
export const PaymentsTab = ({ id }: { readonly id: string }) => (
  <PagesOf page={(after, hand) => <PaymentPage id={id} after={after} onConnection={hand} />} />
);
