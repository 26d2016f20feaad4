import { useDeferredValue, useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction, useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { MoneyField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import type { payments } from '../../words/en/payments.ts';
import { useWords } from '../../words/words.ts';
import { RefundPreviewDocument } from './preview.graphql';
import { RefundTransactionDocument } from './transaction.graphql';
import { refundableOf, type TransactionView } from './transaction-view.ts';

type Reason = keyof (typeof payments)['refundReasons'];

type RefundProps = {
  readonly transaction: TransactionView;
  readonly onClose: () => void;
  readonly onDone: (text: string) => void;
};

/** Returns money of a payment, after the engine has said what that does to the subscription. */
export function RefundDialog({ transaction, onClose, onDone }: RefundProps) {
  const { locale, words: kit } = useKit();
  const words = useWords<typeof payments>('payments');
  const { id, currency } = transaction;
  const most = refundableOf(transaction);
  const [amount, setAmount] = useState<number | null>(most);
  const [reason, setReason] = useState<Reason>('requested_by_customer');
  const [refund, { isRunning, error }] = useAction(RefundTransactionDocument);
  const money = (minor: number) => moneyText(minor, currency, locale);
  const isValid = amount !== null && amount >= 1 && amount <= most;
  const input = { id, amount: isValid ? amount : most, reason };
  const send = async () => {
    if (!isValid || isRunning) return;
    const result = await refund({ input });
    if (!(result instanceof ApiError)) onDone(words.refundDone({ amount: money(input.amount) }));
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.refundTitle({ customer: nameOf(transaction) })}
      actions={
        <>
          <Button onPress={onClose}>{kit.cancel}</Button>
          <Button kind="danger" type="submit" form="refund" isDisabled={!isValid} isPending={isRunning}>
            {isValid ? words.refundAction({ amount: money(amount) }) : words.refund}
          </Button>
        </>
      }
    >
      <Form id="refund" onSubmit={send} errors={error?.details ?? []}>
        <Stack>
          <MoneyField
            name="amount"
            label={words.refundAmount}
            help={words.refundAmountHelp({ amount: money(most) })}
            currency={currency}
            value={amount}
            onChange={setAmount}
            isInvalid={!isValid}
            autoFocus
          />
          <Select
            label={words.refundReason}
            value={reason}
            onChange={(value) => setReason(value as Reason)}
            options={Object.entries(words.refundReasons).map(([value, label]) => ({ value, label }))}
          />
          {isValid ? (
            <Consequence transaction={transaction} amount={input.amount} />
          ) : (
            <Text color="negative">{words.refundTooMuch({ least: money(1), most: money(most) })}</Text>
          )}
          <Rejection error={error} />
        </Stack>
      </Form>
    </Dialog>
  );
}

const nameOf = ({ customer }: TransactionView): string => customer.fullName || customer.email;

/** What a refund of so much does, from the decision the refund itself comes to. */
function Consequence({
  transaction,
  amount,
}: {
  readonly transaction: TransactionView;
  readonly amount: number;
}) {
  const { locale } = useKit();
  const words = useWords<typeof payments>('payments');
  const { id, currency, subscription } = transaction;
  const asked = useDeferredValue(amount);
  const { data, error } = useData(RefundPreviewDocument, {
    command: { transactionRefund: { id, amount: asked } },
  });
  const rest = refundableOf(transaction) - amount;
  const money = (minor: number) => moneyText(minor, currency, locale);
  const preview = data?.subscriptionPreview ?? null;
  const ends = preview?.subscription?.status === 'canceled' && subscription?.status !== 'canceled';
  if (preview?.rejection) return <Callout tone="negative">{preview.rejection.message}</Callout>;
  return (
    <>
      <Callout>
        {rest === 0
          ? words.refundWhole({ amount: money(amount) })
          : words.refundPartial({ amount: money(amount), rest: money(rest) })}
      </Callout>
      {ends && (
        <Callout tone="warning">
          {words.refundCancels({ plan: subscription?.plan?.name ?? words.subscription })}
        </Callout>
      )}
      <Rejection error={error} />
    </>
  );
}
