import { dayStart } from '../../ui/format/dates.ts';
import { defineCommand, type FieldsProps, subscriptionId } from './command.ts';
import { CommandLotGrantDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { DateField, NumberField, TextField } from './lazy-fields.ts';
import { hasLots } from './lots.tsx';
import { PoolAmountField, PoolResult } from './pool-amount.tsx';

type Values = {
  readonly amount: number | null;
  readonly expires: string | null;
  readonly priority: number;
  readonly description: string;
};

const defaultPriority = 5;

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { lotGrant: words } = useCommandWords();
  return (
    <>
      <PoolAmountField
        subject={subject}
        labels={words}
        minValue={1}
        value={values.amount}
        onChange={(amount) => change({ amount })}
      />
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

function Consequence({ values, subject }: FieldsProps<Values>) {
  const { lotGrant: words } = useCommandWords();
  return <PoolResult subject={subject} amount={values.amount} text={words.result} />;
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
          ...(expires !== null && { expiresAt: dayStart(expires) }),
          ...(description.trim() !== '' && { description: description.trim() }),
        },
  document: CommandLotGrantDocument,
});
