import { rateText } from '../../ui/format/money.ts';
import { countText } from '../../ui/format/numbers.ts';
import { DateField } from '../kit/date-field.tsx';
import { NumberField, RateField } from '../kit/number-field.tsx';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { defineCommand, type FieldsProps, subscriptionId } from './command.ts';
import { CommandLotGrantDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { hasLots } from './lots.tsx';

type Values = {
  readonly amount: number | null;
  readonly expires: string | null;
  readonly priority: number;
  readonly description: string;
};

const defaultPriority = 5;

function Fields({ values, change, subject: { subscription } }: FieldsProps<Values>) {
  const { lotGrant: words } = useCommandWords();
  return (
    <>
      {subscription?.consumptionModel === 'balance' ? (
        <RateField
          name="amount"
          label={words.amount}
          currency={subscription.currency}
          value={values.amount}
          onChange={(amount) => change({ amount })}
        />
      ) : (
        <NumberField
          name="amount"
          label={words.credits}
          minValue={1}
          value={values.amount ?? Number.NaN}
          onChange={(amount) => change({ amount: Number.isNaN(amount) ? null : Math.round(amount) })}
        />
      )}
      <DateField
        name="expiresAt"
        label={words.expires}
        help={words.expiresHelp}
        isOptional
        value={values.expires}
        onChange={(expires) => change({ expires })}
      />
      <NumberField
        name="priority"
        label={words.priority}
        help={words.priorityHelp}
        minValue={0}
        maxValue={100}
        value={values.priority}
        onChange={(priority) => change({ priority: Number.isNaN(priority) ? defaultPriority : priority })}
      />
      <TextField
        name="description"
        label={words.description}
        isOptional
        maxLength={1000}
        value={values.description}
        onChange={(description) => change({ description })}
      />
    </>
  );
}

function Consequence({ values, subject: { subscription } }: FieldsProps<Values>) {
  const { lotGrant: words } = useCommandWords();
  const { locale } = useKit();
  const { balance, credits } = subscription ?? {};
  const show = (value: number) =>
    balance ? rateText(value, balance.currency, locale) : countText(value, locale);
  const before = balance?.remaining ?? credits?.remaining ?? 0;
  return (
    <Text as="p">{words.result({ before: show(before), after: show(before + (values.amount ?? 0)) })}</Text>
  );
}

export const lotGrant = defineCommand({
  name: 'lotGrant',
  group: 'allowances',
  applies: hasLots,
  initial: (): Values => ({ amount: null, expires: null, priority: defaultPriority, description: '' }),
  Fields,
  Consequence,
  input: ({ amount, expires, priority, description }, subject) =>
    amount === null || amount < 1
      ? null
      : {
          customerId: subject.customer.id,
          subscriptionId: subscriptionId(subject),
          asset:
            subject.subscription?.consumptionModel === 'balance' ? subject.subscription.currency : 'credits',
          amount,
          priority,
          ...(expires !== null && { expiresAt: `${expires}T00:00:00.000Z` }),
          ...(description.trim() !== '' && { description: description.trim() }),
        },
  document: CommandLotGrantDocument,
});
