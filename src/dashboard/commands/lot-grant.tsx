import { dayStart } from '../../ui/format/dates.ts';
import { AssetAmountField, AssetField, AssetResult } from './asset-amount.tsx';
import { defineCommand, type FieldsProps, subscriptionId } from './command.ts';
import { CommandLotGrantDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { DateField, NumberField, TextField } from './lazy-fields.ts';
import { hasLots } from './lots.tsx';

type Values = {
  /** `null` if the pools are still loading. */
  readonly asset: string | null;
  readonly amount: number | null;
  readonly expires: string | null;
  readonly priority: number;
  readonly description: string;
};

const defaultPriority = 5;

function Fields({ values, change, fill, subject }: FieldsProps<Values>) {
  const { lotGrant: words } = useCommandWords();
  return (
    <>
      <AssetField
        subject={subject}
        labels={words}
        value={values.asset}
        fill={fill}
        onChange={(asset) => change({ asset, amount: null })}
      />
      <AssetAmountField
        subject={subject}
        asset={values.asset}
        labels={words}
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

function Consequence({ values: { asset, amount }, subject }: FieldsProps<Values>) {
  const { lotGrant: words } = useCommandWords();
  return <AssetResult subject={subject} asset={asset} amount={amount} text={words.result} />;
}

export const lotGrant = defineCommand({
  name: 'lotGrant',
  group: 'allowances',
  applies: hasLots,
  initial: ({ target }): Values => ({
    asset: target ?? null,
    amount: null,
    expires: null,
    priority: defaultPriority,
    description: '',
  }),
  Fields,
  Consequence,
  input: ({ asset, amount, expires, priority, description }, subject) =>
    asset === null || amount === null || amount < 1
      ? null
      : {
          customerId: subject.customer.id,
          subscriptionId: subscriptionId(subject),
          asset,
          amount,
          priority,
          ...(expires !== null && { expiresAt: dayStart(expires) }),
          ...(description.trim() !== '' && { description: description.trim() }),
        },
  document: CommandLotGrantDocument,
});
