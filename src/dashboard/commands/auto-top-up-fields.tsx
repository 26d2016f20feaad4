import { useData } from '../data/hooks.ts';
import { AssetAmountField, AssetField } from './asset-amount.tsx';
import { isBalance, type TopUpValues } from './auto-top-up-values.ts';
import { ChoiceCreditPacksDocument } from './choices.graphql';
import type { FieldsProps } from './command.ts';
import { useCommandWords } from './fields.tsx';
import { MoneyField, NumberField, Select, TextField } from './lazy-fields.ts';

type Props = FieldsProps<TopUpValues>;

/** Fields for the purchase that refills a balance: an amount, or the balance to reach. */
function BalanceRefill({ values, change, subject }: Props) {
  const { autoTopUpSet: words } = useCommandWords();
  const currency = subject.subscription?.currency ?? 'usd';
  return (
    <>
      <Select
        label={words.kind}
        options={[
          { value: 'amount', label: words.kinds.amount },
          { value: 'target', label: words.kinds.target },
        ]}
        value={values.kind}
        onChange={(kind) => change({ kind: kind === 'target' ? 'target' : 'amount' })}
      />
      {values.kind === 'amount' ? (
        <MoneyField
          name="refill.amount"
          label={words.refillAmount}
          currency={currency}
          value={values.amount}
          onChange={(amount) => change({ amount })}
        />
      ) : (
        <AssetAmountField
          subject={subject}
          asset={values.asset}
          name="refill.target"
          labels={{ amount: words.refillTarget, credits: words.refillTarget }}
          value={values.goal}
          onChange={(goal) => change({ goal })}
        />
      )}
    </>
  );
}

/** Fields for the credit pack that refills a custom unit, and the number of packs. */
function PackRefill({ values, change }: Props) {
  const { autoTopUpSet: words } = useCommandWords();
  const packs = useData(ChoiceCreditPacksDocument, {}).data?.creditPacks.nodes ?? [];
  const own = packs.filter(({ asset }) => (asset ?? 'credits') === values.asset);
  return (
    <>
      <Select
        name="refill.creditPackId"
        label={words.pack}
        options={own.map(({ id, name }) => ({ value: id, label: name }))}
        value={values.pack === '' ? null : values.pack}
        onChange={(pack) => change({ pack })}
      />
      <NumberField
        name="refill.quantity"
        label={words.quantity}
        minValue={1}
        maxValue={100}
        value={values.quantity}
        onChange={(quantity) => change({ quantity: Number.isNaN(quantity) ? 1 : quantity })}
      />
    </>
  );
}

/** Fields of an automatic top-up: threshold, purchase, limits of the month, and the reference of the customer's consent. */
export function AutoTopUpFields(props: Props) {
  const { values, change, fill, subject } = props;
  const { autoTopUpSet: words } = useCommandWords();
  return (
    <>
      <AssetField
        subject={subject}
        labels={words}
        value={values.asset}
        fill={fill}
        onChange={(asset) => change({ asset, threshold: null, goal: null, amount: null, pack: '' })}
      />
      <AssetAmountField
        key={values.asset}
        subject={subject}
        asset={values.asset}
        name="threshold"
        labels={{ amount: words.threshold, credits: words.threshold }}
        isSigned
        value={values.threshold}
        onChange={(threshold) => change({ threshold })}
      />
      {values.asset !== null &&
        (isBalance(values) ? <BalanceRefill {...props} /> : <PackRefill {...props} />)}
      <MoneyField
        name="maxAmountPerMonth"
        label={words.most}
        help={words.mostHelp}
        currency={subject.subscription?.currency ?? 'usd'}
        value={values.maxAmountPerMonth}
        onChange={(maxAmountPerMonth) => change({ maxAmountPerMonth })}
      />
      <NumberField
        name="maxPerMonth"
        label={words.count}
        minValue={1}
        maxValue={100}
        value={values.maxPerMonth}
        onChange={(count) => change({ maxPerMonth: Number.isNaN(count) ? 5 : count })}
      />
      <NumberField
        name="minPause"
        label={words.pause}
        minValue={0}
        maxValue={1_440}
        value={values.minPause}
        onChange={(minutes) => change({ minPause: Number.isNaN(minutes) ? 1 : minutes })}
      />
      <TextField
        name="consentReference"
        label={words.consent}
        help={words.consentHelp}
        maxLength={500}
        value={values.consentReference}
        onChange={(consentReference) => change({ consentReference })}
      />
    </>
  );
}
