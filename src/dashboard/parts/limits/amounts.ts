import { isCurrency } from '../../../domain/money/money.ts';
import { amountText, decimalsOf, decimalText } from '../../../ui/format/money.ts';
import { numberText } from '../../../ui/format/numbers.ts';
import { useKit } from '../../kit/provider.tsx';
import { unitAmountText, useUnits } from '../units.ts';
import type { LimitNowFragment, LimitTermsFragment } from './limits.graphql';
import { unitOf } from './unit-of.ts';

/** Measure and unit of an amount. */
export type Measured = Pick<LimitNowFragment, 'measure' | 'unit'>;

const mostDecimals = 9;

/** True if decimals of the amount are in major units of the currency. Amounts of a balance are in ten-thousandths. */
export const isMoney = ({ measure, unit }: Measured): boolean =>
  measure !== 'drawn' && measure !== 'remaining' && isCurrency(unit);

/** Returns the amount of a stored limit as a decimal in the unit of its current value. */
export function storedDecimal(limit: LimitTermsFragment, amount: number): string {
  const unit = unitOf(limit);
  return isMoney({ measure: limit.measure, unit }) ? decimalText(amount, decimalsOf(unit)) : String(amount);
}

/** Returns a function that formats decimals in the unit of a limit: $12.50, 1,200, 3.5 GPU hours. */
export function useLimitAmount({ measure, unit }: Measured): (decimal: string) => string {
  const { locale } = useKit();
  const isCount = measure === 'units' || measure === 'calls' || measure === 'level';
  const units = useUnits(isCount ? [] : [unit]);
  return (decimal) => {
    if (isMoney({ measure, unit })) return amountText(decimal, unit, locale);
    return isCount
      ? numberText(Number(decimal), locale, mostDecimals)
      : unitAmountText(unit, Math.round(Number(decimal)), units, locale);
  };
}
