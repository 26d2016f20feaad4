import { isCurrency } from '../../../domain/money/money.ts';
import { MoneyField, NumberField, RateField } from '../../kit/number-field.tsx';
import { wholeOrNull } from '../../kit/whole-number.ts';
import { useUnits } from '../units.ts';
import { isMoney, type Measured } from './amounts.ts';

type LimitAmountFieldProps = {
  /** Name of the field in errors. Defaults to `amount`. */
  readonly name?: string;
  readonly of: Measured;
  readonly label: string;
  readonly help?: string;
  readonly isOptional?: boolean;
  readonly least: 0 | 1;
  /** Amount in the unit of the limit. `null` if the field is empty or invalid. */
  readonly value: number | null;
  readonly onChange: (amount: number | null) => void;
};

/** Field for an amount in the unit of a limit: money, a custom unit with its decimals, or a count. */
export function LimitAmountField({ of, least, value, onChange, ...rest }: LimitAmountFieldProps) {
  const { measure, unit } = of;
  const units = useUnits(unit === measure ? [] : [unit]);
  const props = { name: 'amount', ...rest };
  if (isMoney(of)) return <MoneyField {...props} currency={unit} value={value} onChange={onChange} />;
  if (isCurrency(unit)) return <RateField {...props} currency={unit} value={value} onChange={onChange} />;
  const custom = units.find(({ code }) => code === unit);
  const scale = 10 ** (custom?.decimals ?? 0);
  return (
    <NumberField
      {...props}
      {...(custom !== undefined && { after: custom.symbol ?? custom.name })}
      minValue={least / scale}
      formatOptions={{ maximumFractionDigits: custom?.decimals ?? 0 }}
      value={value === null ? Number.NaN : value / scale}
      onChange={(amount) => onChange(wholeOrNull(Math.round(amount * scale)))}
    />
  );
}
