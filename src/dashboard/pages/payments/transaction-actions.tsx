import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { addressOf, useAddressSearch } from '../../address.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { Row } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import type { payments } from '../../words/en/payments.ts';
import { useWords } from '../../words/words.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { RetryTransactionDocument } from './transaction.graphql';
import { refundableOf, type TransactionView } from './transaction-view.ts';

type ActionsProps = { readonly transaction: TransactionView; readonly onDone: (text: string) => void };

/** What can be done with a payment. The address opens the refund with `?do=refund`. */
export function TransactionActions({ transaction, onDone }: ActionsProps) {
  const words = useWords<typeof payments>('payments');
  const [search, change] = useAddressSearch();
  const [isRetrying, setRetrying] = useState(false);
  const canRefund = refundableOf(transaction) > 0;
  const canRetry = transaction.status === 'failed' && transaction.subscription?.status === 'past_due';
  const close = () => change({ do: undefined });
  const done = (text: string) => {
    close();
    setRetrying(false);
    onDone(text);
  };
  return (
    <Row>
      {transaction.invoice !== null && (
        <Link href={addressOf('invoice', { id: transaction.invoice.id })}>
          {transaction.invoice.invoiceNumber}
        </Link>
      )}
      {canRetry && <Button onPress={() => setRetrying(true)}>{words.retry}</Button>}
      {canRefund && <Button onPress={() => change({ do: 'refund' })}>{words.refund}</Button>}
      {canRefund && search['do'] === 'refund' && (
        <RefundDialog transaction={transaction} onClose={close} onDone={done} />
      )}
      {isRetrying && <Retry transaction={transaction} onClose={() => setRetrying(false)} onDone={done} />}
    </Row>
  );
}

function Retry({ transaction, onClose, onDone }: ActionsProps & { readonly onClose: () => void }) {
  const { locale } = useKit();
  const words = useWords<typeof payments>('payments');
  const [retry, { isRunning, error }] = useAction(RetryTransactionDocument);
  const { grossAmount, currency, customer, invoice } = transaction;
  const amount = moneyText(grossAmount ?? 0, currency, locale);
  const confirm = async () => {
    const result = await retry({ input: { id: transaction.id } });
    if (result instanceof ApiError) return;
    onDone(result.transactionRetry.status === 'succeeded' ? words.retried : words.retryRunning);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      kind="primary"
      title={words.retryTitle({ amount })}
      confirm={words.retryAction({ amount })}
      onConfirm={confirm}
      isPending={isRunning}
    >
      <Text as="p">
        {words.retryText({
          customer: customer.fullName || customer.email,
          amount,
          number: invoice?.invoiceNumber ?? '',
        })}
      </Text>
      <Rejection error={error} />
    </ConfirmDialog>
  );
}
