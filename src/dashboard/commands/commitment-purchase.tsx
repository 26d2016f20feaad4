import { decimalsOf } from '../../ui/format/money.ts';
import { wholeOrNull } from '../kit/whole-number.ts';
import { AssetAmountField, AssetField } from './asset-amount.tsx';
import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandCommitmentPurchaseDocument } from './commands.graphql';
import { type TermEnd, TermEndFields } from './commitment-fields.tsx';
import { useCommandWords } from './fields.tsx';
import { MoneyField, NumberField, TextField } from './lazy-fields.ts';
import { usePools } from './lots.tsx';

type Values = TermEnd & {
  readonly price: number | null;
  /** `null` if the pools are still loading, or if the plan has no pool. */
  readonly asset: string | null;
  readonly grant: number | null;
  readonly validMonths: number | null;
  readonly description: string;
};

/** Number of ten-thousandths of the currency unit in a minor unit. */
const ratePerMinor = (currency: string): number => 10_000 / 10 ** decimalsOf(currency);

/** Field for the granted amount. Commitments on metered plans pay invoices, so their amount is money in minor units. */
function GrantField({ values: { asset, grant }, change, subject, rejected }: FieldsProps<Values>) {
  const { commitmentPurchase: words } = useCommandWords();
  const error = rejected?.param === 'grant' ? rejected.message : undefined;
  const { currency = 'usd' } = subject.subscription ?? {};
  const pools = usePools(subject);
  if (pools === null) return null;
  if (pools.length > 0)
    return (
      <AssetAmountField
        subject={subject}
        asset={asset}
        name="grant"
        error={error}
        labels={words}
        value={grant}
        onChange={(value) => change({ grant: value })}
      />
    );
  const scale = ratePerMinor(currency);
  return (
    <MoneyField
      name="grant"
      error={error}
      label={words.amount}
      help={words.amountHelp}
      currency={currency}
      value={grant === null ? null : grant / scale}
      onChange={(minor) => change({ grant: minor === null ? null : minor * scale })}
    />
  );
}

function Fields(props: FieldsProps<Values>) {
  const { values, change, fill, subject, rejected } = props;
  const { commitmentPurchase: words } = useCommandWords();
  return (
    <>
      <MoneyField
        name="price"
        error={rejected?.param === 'price' ? rejected.message : undefined}
        label={words.price}
        help={words.priceHelp}
        currency={subject.subscription?.currency ?? 'usd'}
        value={values.price}
        onChange={(price) => change({ price })}
      />
      <AssetField
        subject={subject}
        labels={words}
        value={values.asset}
        fill={fill}
        onChange={(asset) => change({ asset, grant: null })}
      />
      <GrantField key={values.asset} {...props} />
      <NumberField
        name="validMonths"
        label={words.months}
        minValue={1}
        maxValue={60}
        value={values.validMonths ?? Number.NaN}
        onChange={(validMonths) => change({ validMonths: wholeOrNull(validMonths) })}
      />
      <TermEndFields values={values} change={change} />
      <TextField
        name="description"
        label={words.description}
        help={words.descriptionHelp}
        isOptional
        maxLength={200}
        value={values.description}
        onChange={(description) => change({ description })}
      />
    </>
  );
}

export const commitmentPurchase = defineCommand({
  name: 'commitmentPurchase',
  group: 'allowances',
  applies: (subject) => isIn(subject, 'trialing', 'active', 'past_due'),
  initial: (): Values => ({
    price: null,
    asset: null,
    grant: null,
    validMonths: 12,
    atEnd: 'expire',
    autoRenew: false,
    description: '',
  }),
  Fields,
  input: ({ price, asset, grant, validMonths, atEnd, autoRenew, description }, subject) =>
    price === null || price < 1 || grant === null || grant < 1 || validMonths === null
      ? null
      : {
          subscriptionId: subscriptionId(subject),
          price,
          grant,
          ...(asset !== null && { asset }),
          validMonths,
          atEnd,
          autoRenew,
          ...(description.trim() !== '' && { description: description.trim() }),
        },
  preview: (input) => ({ commitmentPurchase: input }),
  document: CommandCommitmentPurchaseDocument,
});
