import { wholeOrNull } from '../kit/whole-number.ts';
import type { Subject } from './command.ts';
import { NumberField, RateField } from './lazy-fields.ts';

type PoolAmountFieldProps = {
  readonly subject: Subject;
  readonly labels: { readonly amount: string; readonly credits: string };
  /** Name of the API field. */
  readonly name: string;
  readonly error?: string | undefined;
  /** Minimum number of credits. */
  readonly minValue?: number;
  /** Whether the amount is money. */
  readonly isMoney: boolean;
  readonly value: number | null;
  readonly onChange: (amount: number | null) => void;
};

/** Field for an amount of the subscription's prepaid balance, or for a number of credits. */
export const PoolAmountField = ({
  subject: { subscription },
  labels,
  name,
  error,
  minValue,
  isMoney,
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
