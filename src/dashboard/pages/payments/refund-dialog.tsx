import { useDeferredValue } from 'react';
import type { ResultOf } from '../../../ui/documents.ts';
import { moneyText } from '../../../ui/format/money.ts';
import type { ApiError } from '../../data/api-error.ts';
import { useAction, useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { MoneyField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords, type Words } from '../../words/words.ts';
import { RefundPreviewDocument } from './preview.graphql';
import { RefundTransactionDocument } from './transaction.graphql';
import { refundableOf, type TransactionView } from './transaction-view.ts';

type Reason = keyof Words['payments']['refundReasons'];

type Values = {
  readonly amount: number | null;
  readonly reason: Reason;
  /** True if the refund also cancels the subscription. `null` if the service decides. */
  readonly cancels: boolean | null;
};

type RefundProps = {
  readonly transaction: TransactionView;
  readonly onClose: () => void;
  readonly onDone: (text: string) => void;
};

/** Dialog that refunds a payment. Shows the effect on the subscription first. */
export function RefundDialog({ transaction, onClose, onDone }: RefundProps) {
  const { locale, words: kit } = useKit();
  const words = useWords('payments');
  const { id, currency } = transaction;
  const refundable = refundableOf(transaction);
  const [refund, { isRunning, error }] = useAction(RefundTransactionDocument);
  const money = (minor: number) => moneyText(minor, currency, locale);
  const draft = useDraft<Values, ResultOf<typeof RefundTransactionDocument> | ApiError>(
    { amount: refundable, reason: 'requested_by_customer', cancels: null },
    {
      isReady: ({ amount }) => amount !== null && amount >= 1 && amount <= refundable,
      send: (values) =>
        refund({
          input: { id, amount: values.amount, reason: values.reason, cancelSubscription: values.cancels },
        }),
      onDone: (_, values) => onDone(words.refundDone({ amount: money(values.amount ?? refundable) })),
    },
  );
  const { amount, reason, cancels } = draft.values;
  const isValid = draft.isReady && amount !== null;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.refundTitle({ customer: nameOf(transaction) })}
      actions={
        <>
          <Button slot="close">{kit.cancel}</Button>
          <Button kind="danger" type="submit" form="refund" isDisabled={!isValid} isPending={isRunning}>
            {isValid ? words.refundAction({ amount: money(amount) }) : words.refund}
          </Button>
        </>
      }
    >
      <Form id="refund" draft={draft} errors={error?.details ?? []}>
        <Stack>
          <MoneyField
            name="amount"
            label={words.refundAmount}
            help={words.refundAmountHelp({ amount: money(refundable) })}
            currency={currency}
            value={amount}
            onChange={(minor) => draft.change({ amount: minor })}
            isInvalid={!isValid}
            autoFocus
          />
          <Select
            label={words.refundReason}
            value={reason}
            onChange={(value) => draft.change({ reason: value as Reason })}
            options={Object.entries(words.refundReasons).map(([value, label]) => ({ value, label }))}
          />
          {isValid ? (
            <Consequence
              transaction={transaction}
              amount={amount}
              cancels={cancels}
              onCancels={(isOn) => draft.change({ cancels: isOn })}
            />
          ) : (
            <Text color="negative">{words.refundTooMuch({ least: money(1), most: money(refundable) })}</Text>
          )}
          <Rejection error={error} />
        </Stack>
      </Form>
    </Dialog>
  );
}

/** Statuses of a subscription that a refund can also cancel. */
const endable: ReadonlySet<string> = new Set(['trialing', 'active', 'past_due']);

const nameOf = ({ customer }: TransactionView): string => customer.fullName || customer.email;

/** Shows the effect of a refund, as previewed by the API. */
function Consequence({
  transaction,
  amount,
  cancels,
  onCancels,
}: {
  readonly transaction: TransactionView;
  readonly amount: number;
  /** True if the refund also cancels the subscription. `null` if the service decides. */
  readonly cancels: boolean | null;
  readonly onCancels: (cancels: boolean) => void;
}) {
  const { locale } = useKit();
  const words = useWords('payments');
  const { id, currency, subscription } = transaction;
  const asked = useDeferredValue(amount);
  const { data, error } = useData(RefundPreviewDocument, {
    command: { transactionRefund: { id, amount: asked, cancelSubscription: cancels } },
  });
  const rest = refundableOf(transaction) - amount;
  const money = (minor: number) => moneyText(minor, currency, locale);
  const preview = data?.subscriptionPreview ?? null;
  const revoked = preview?.refund?.revokedCreditAmount ?? 0;
  const canEnd = subscription !== null && endable.has(subscription.status);
  const ends = canEnd && preview?.subscription?.status === 'canceled';
  const plan = subscription?.plan?.name ?? words.subscription;
  if (preview?.rejection) return <Callout tone="negative">{preview.rejection.message}</Callout>;
  return (
    <>
      <Callout>
        {rest === 0
          ? words.refundWhole({ amount: money(amount) })
          : words.refundPartial({ amount: money(amount), rest: money(rest) })}
      </Callout>
      {revoked > 0 && <Callout>{words.refundRevokes({ amount: money(revoked) })}</Callout>}
      {canEnd && (
        <Checkbox isSelected={cancels ?? ends} onChange={onCancels}>
          {words.refundCancel({ plan })}
        </Checkbox>
      )}
      {ends && <Callout tone="warning">{words.refundCancels({ plan })}</Callout>}
      <Rejection error={error} />
    </>
  );
}
