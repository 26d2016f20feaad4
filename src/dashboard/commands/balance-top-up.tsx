import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandBalanceTopUpDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { MoneyField } from './lazy-fields.ts';

type Values = { readonly amount: number | null };

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { balanceTopUp: words } = useCommandWords();
  return (
    <MoneyField
      name="amount"
      label={words.amount}
      currency={subject.subscription?.currency ?? 'usd'}
      value={values.amount}
      onChange={(amount) => change({ amount })}
    />
  );
}

export const balanceTopUp = defineCommand({
  name: 'balanceTopUp',
  group: 'allowances',
  applies: (subject) =>
    isIn(subject, 'trialing', 'active', 'past_due') && subject.subscription?.consumptionModel === 'balance',
  initial: (): Values => ({ amount: null }),
  Fields,
  input: ({ amount }, subject) =>
    amount === null || amount <= 0 ? null : { subscriptionId: subscriptionId(subject), amount },
  preview: (input) => ({ balanceTopUp: input }),
  document: CommandBalanceTopUpDocument,
});
