import { defineCommand, type FieldsProps, subscriptionId } from './command.ts';
import { CommandBalanceAdjustDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { TextField } from './lazy-fields.ts';
import { hasLots } from './lots.tsx';
import { PoolAmountField, PoolResult } from './pool-amount.tsx';

type Values = { readonly amount: number | null; readonly reason: string };

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { balanceAdjust: words } = useCommandWords();
  return (
    <>
      <PoolAmountField
        subject={subject}
        labels={words}
        value={values.amount}
        onChange={(amount) => change({ amount })}
      />
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

function Consequence({ values, subject }: FieldsProps<Values>) {
  const { balanceAdjust: words } = useCommandWords();
  return <PoolResult subject={subject} amount={values.amount} text={words.result} />;
}

export const balanceAdjust = defineCommand({
  name: 'balanceAdjust',
  group: 'allowances',
  applies: hasLots,
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
