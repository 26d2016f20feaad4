import { rateText } from '../../ui/format/money.ts';
import { countText } from '../../ui/format/numbers.ts';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { wholeOrNull } from '../kit/whole-number.ts';
import type { Subject } from './command.ts';
import { NumberField, RateField } from './lazy-fields.ts';

type PoolAmountFieldProps = {
  readonly subject: Subject;
  readonly labels: { readonly amount: string; readonly credits: string };
  /** Name of the API field. Defaults to `amount`. */
  readonly name?: string;
  readonly error?: string | undefined;
  /** Minimum number of credits. */
  readonly minValue?: number;
  /** Whether the amount is money. Defaults to the pool of the consumption model. */
  readonly isMoney?: boolean;
  readonly value: number | null;
  readonly onChange: (amount: number | null) => void;
};

/** Field for an amount of the subscription's prepaid balance, or for a number of credits. */
export const PoolAmountField = ({
  subject: { subscription },
  labels,
  name = 'amount',
  error,
  minValue,
  isMoney = subscription?.consumptionModel === 'balance',
  value,
  onChange,
}: PoolAmountFieldProps) =>
  isMoney && subscription !== null ? (
    <RateField
      name={name}
      error={error}
      label={labels.amount}
      currency={subscription.currency}
      value={value}
      onChange={onChange}
    />
  ) : (
    <NumberField
      name={name}
      error={error}
      label={labels.credits}
      {...(minValue !== undefined && { minValue })}
      value={value ?? Number.NaN}
      onChange={(amount) => onChange(wholeOrNull(amount))}
    />
  );

type PoolResultProps = {
  readonly subject: Subject;
  /** Added amount. `null` if the field is empty. */
  readonly amount: number | null;
  readonly text: (values: { readonly before: string; readonly after: string }) => string;
};

/** Shows the subscription's balance or credits before and after an amount is added. */
export function PoolResult({ subject: { subscription }, amount, text }: PoolResultProps) {
  const { locale } = useKit();
  const { balance, credits } = subscription ?? {};
  const show = (value: number) =>
    balance ? rateText(value, balance.currency, locale) : countText(value, locale);
  const before = balance?.remaining ?? credits?.remaining ?? 0;
  return <Text as="p">{text({ before: show(before), after: show(before + (amount ?? 0)) })}</Text>;
}
