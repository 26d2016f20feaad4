import type { ResultOf } from '../../../ui/documents.ts';
import { moneyText } from '../../../ui/format/money.ts';
import type { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
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
import { cancellationOf, type Effect, RefundEffects } from './refund-effects.tsx';
import { RefundTransactionDocument } from './transaction.graphql';
import { refundableOf, type TransactionView } from './transaction-view.ts';

type Reason = keyof Words['payments']['refundReasons'];

type Values = {
  readonly amount: number | null;
  readonly reason: Reason;
  /** Effect of the refund on the subscription. `null` if the service decides. */
  readonly effect: Effect | null;
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
    { amount: refundable, reason: 'requested_by_customer', effect: null },
    {
      isReady: ({ amount }) => amount !== null && amount >= 1 && amount <= refundable,
      send: (values) =>
        refund({
          input: { id, amount: values.amount, reason: values.reason, ...cancellationOf(values.effect) },
        }),
      onDone: (_, values) => onDone(words.refundDone({ amount: money(values.amount ?? refundable) })),
    },
  );
  const { amount, reason, effect } = draft.values;
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
            <RefundEffects
              transaction={transaction}
              amount={amount}
              effect={effect}
              onEffect={(chosen) => draft.change({ effect: chosen })}
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

const nameOf = ({ customer }: TransactionView): string => customer.fullName || customer.email;
