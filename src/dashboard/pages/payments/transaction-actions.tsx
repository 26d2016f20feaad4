import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { useAddressSearch } from '../../address.ts';
import { useIsAllowed } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Row } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { useKit } from '../../kit/provider.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { useWords } from '../../words/words.ts';
import { RetryTransactionDocument } from './transaction.graphql';
import { refundableOf, type TransactionView } from './transaction-view.ts';

const RefundDialog = lazyPart(() => import('./refund-dialog.tsx').then((module) => module.RefundDialog));

type ActionsProps = { readonly transaction: TransactionView; readonly onDone: (text: string) => void };

/** Buttons for payment actions. `?do=refund` in the URL opens the refund dialog. */
export function TransactionActions({ transaction, onDone }: ActionsProps) {
  const words = useWords('payments');
  const [search, change] = useAddressSearch();
  const [isRetrying, setRetrying] = useState(false);
  const canRefund = useIsAllowed('transactionRefund') && refundableOf(transaction) > 0;
  const canRetry =
    useIsAllowed('transactionRetry') &&
    transaction.status === 'failed' &&
    transaction.subscription?.status === 'past_due';
  const close = () => change({ do: undefined });
  const done = (text: string) => {
    close();
    setRetrying(false);
    onDone(text);
  };
  return (
    <Row>
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
  const words = useWords('payments');
  const { currency, customer, invoice } = transaction;
  const amount = moneyText(transaction.amount, currency, locale);
  return (
    <AskDialog
      document={RetryTransactionDocument}
      input={{ id: transaction.id }}
      kind="primary"
      title={words.retryTitle({ amount })}
      texts={[
        words.retryText({
          customer: customer.fullName || customer.email,
          amount,
          number: invoice?.invoiceNumber ?? '',
        }),
      ]}
      confirm={words.retryAction({ amount })}
      onDone={({ transactionRetry: { status } }) =>
        onDone(status === 'succeeded' ? words.retried : words.retryRunning)
      }
      onClose={onClose}
    />
  );
}
