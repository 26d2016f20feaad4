import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Copy, CopyButton } from '../../kit/copy.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Heading } from '../../kit/text.tsx';
import { DateTime, Money } from '../../kit/values.tsx';
import { PaymentStatus, TransactionStatus } from '../../parts/billing/status.tsx';
import { ObjectEvents } from '../../parts/events/object-events.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { PaymentLinkDetailDocument, type PaymentLinkDetailQuery } from './link.graphql';
import { CancelPaymentLinkDocument } from './links.graphql';

type Payment = Extract<NonNullable<PaymentLinkDetailQuery['node']>, { readonly amountTotal: number }>;

const paymentOf = (node: PaymentLinkDetailQuery['node']): Payment | null =>
  node !== null && 'amountTotal' in node ? node : null;

/** Sheet with a payment link, or with a one-time payment by a stored card. */
export function LinkSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWords('payments');
  const { data, error, refetch } = useData(PaymentLinkDetailDocument, { id });
  useRefetchOnEvents({ objectId: id }, refetch);
  const payment = data === null ? null : paymentOf(data.node);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={payment?.description ?? words.tabs.links}
      status={payment !== null && <PaymentStatus status={payment.status} />}
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={6} />}
      {data !== null && payment === null && <ErrorState title={words.notFound} />}
      {payment !== null && <Shown payment={payment} onChanged={refetch} />}
    </Sheet>
  );
}

function Shown({ payment, onChanged }: { readonly payment: Payment; readonly onChanged: () => void }) {
  const words = useWords('payments');
  const { currency, customer, invoice, url } = payment;
  const isOpen = payment.kind === 'link' && payment.status === 'pending';
  return (
    <Stack gap={5}>
      {isOpen && url !== null && (
        <Row>
          <CopyButton value={url} label={words.links.copy} />
          <LinkButton href={url} target="_blank">
            {words.links.open}
          </LinkButton>
          <Cancel payment={payment} onDone={onChanged} />
        </Row>
      )}
      <FactList
        items={[
          { label: words.amount, value: <Money minor={payment.amountTotal} currency={currency} /> },
          { label: words.tax, value: <Money minor={payment.taxAmount} currency={currency} /> },
          { label: words.links.kind, value: words.links.kinds[payment.kind] },
          customer !== null && {
            label: words.customer,
            value: (
              <Link href={addressOf('customer', { id: customer.id })}>
                {customer.fullName || customer.email}
              </Link>
            ),
          },
          invoice !== null && {
            label: words.invoice,
            value: <Link href={addressOf('invoice', { id: invoice.id })}>{invoice.invoiceNumber}</Link>,
          },
          payment.failureMessage !== null && { label: words.reason, value: payment.failureMessage },
          { label: words.time, value: <DateTime at={payment.createdAt} /> },
          payment.expiresAt !== null && {
            label: words.links.expires,
            value: <DateTime at={payment.expiresAt} />,
          },
          { label: 'ID', value: <Copy value={payment.id} /> },
        ]}
      />
      {payment.transactions.map(({ id, status, createdAt }) => (
        <Row key={id} justify="between">
          <Link href={addressOf('payment', { id })}>
            <DateTime at={createdAt} />
          </Link>
          <TransactionStatus status={status} />
        </Row>
      ))}
      <Stack gap={2}>
        <Heading level={3}>{words.history}</Heading>
        <ObjectEvents id={payment.id} />
      </Stack>
    </Stack>
  );
}

function Cancel({ payment, onDone }: { readonly payment: Payment; readonly onDone: () => void }) {
  const { locale } = useKit();
  const words = useWords('payments').links;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onPress={() => setAsking(true)}>{words.cancel}</Button>
      {isAsking && (
        <AskDialog
          document={CancelPaymentLinkDocument}
          input={{ id: payment.id }}
          title={words.cancelTitle}
          texts={[words.cancelText({ amount: moneyText(payment.amountTotal, payment.currency, locale) })]}
          confirm={words.cancel}
          dismiss={words.keep}
          onDone={onDone}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
