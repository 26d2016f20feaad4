import { rateText } from '../../ui/format/money.ts';
import { countText } from '../../ui/format/numbers.ts';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandBalanceAdjustDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { NumberField, RateField, TextField } from './lazy-fields.ts';

type Values = { readonly amount: number | null; readonly reason: string };

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { balanceAdjust: words } = useCommandWords();
  const isMoney = subject.subscription?.consumptionModel === 'balance';
  return (
    <>
      {isMoney ? (
        <RateField
          name="amount"
          label={words.amount}
          currency={subject.subscription?.currency ?? 'usd'}
          value={values.amount}
          onChange={(amount) => change({ amount })}
        />
      ) : (
        <NumberField
          name="amount"
          label={words.credits}
          value={values.amount ?? Number.NaN}
          onChange={(amount) => change({ amount: Number.isNaN(amount) ? null : Math.round(amount) })}
        />
      )}
      <TextField
        name="reason"
        label={words.reason}
        isOptional
        maxLength={1000}
        value={values.reason}
        onChange={(reason) => change({ reason })}
      />
    </>
  );
}

function Consequence({ values, subject: { subscription } }: FieldsProps<Values>) {
  const { balanceAdjust: words } = useCommandWords();
  const { locale } = useKit();
  const { balance, credits } = subscription ?? {};
  const show = (value: number) =>
    balance ? rateText(value, balance.currency, locale) : countText(value, locale);
  const before = balance?.remaining ?? credits?.remaining ?? 0;
  return (
    <Text as="p">{words.result({ before: show(before), after: show(before + (values.amount ?? 0)) })}</Text>
  );
}

export const balanceAdjust = defineCommand({
  name: 'balanceAdjust',
  group: 'allowances',
  applies: (subject) =>
    isIn(subject, 'trialing', 'active', 'past_due') &&
    (subject.subscription?.consumptionModel === 'balance' ||
      subject.subscription?.consumptionModel === 'credits'),
  initial: (): Values => ({ amount: null, reason: '' }),
  Fields,
  Consequence,
  input: ({ amount, reason }, subject) =>
    amount === null || amount === 0
      ? null
      : {
          subscriptionId: subscriptionId(subject),
          amount,
          ...(reason.trim() !== '' && { reason: reason.trim() }),
        },
  document: CommandBalanceAdjustDocument,
});
