// Unusual values of a day: far above the values of earlier days (ALR-56).
import { signedDecimal } from '../rates/decimal.ts';
import { compare, dividedBy, type Exact, larger, plus, times, whole } from '../rates/exact.ts';
import type { Tried } from './admission.ts';
import type { LimitAnomaly } from './limit.ts';

/** Lowest number of earlier days with usage whose median is known. */
const fewestDays = 7;

/** Key of the day in which an unusual value of a limit was last reported. */
export const anomalyKey = (limitId: string): string => `${limitId}:anomaly`;

function medianOf(days: readonly string[]): Exact {
  const sorted = days.map(signedDecimal).sort(compare);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? whole(0n);
  return sorted.length % 2 === 1 ? upper : dividedBy(plus(sorted[middle - 1] ?? upper, upper), 2n);
}

/** Median of earlier days, and the highest value that isn't unusual. */
export type Unusual = { readonly anomaly: LimitAnomaly; readonly median: Exact; readonly highest: Exact };

/** Returns the values that a value of a day exceeds if it's unusual. `null` if it's usual, or if fewer than seven earlier days had usage. */
export function unusual(
  { limit: { anomaly }, gauge: { days = [] } }: Pick<Tried, 'limit' | 'gauge'>,
  value: Exact,
): Unusual | null {
  if (anomaly === null || days.length < fewestDays) return null;
  const minimum = whole(BigInt(anomaly.minimum));
  if (compare(value, minimum) <= 0) return null;
  const median = medianOf(days);
  const highest = larger(minimum, times(median, whole(BigInt(anomaly.factor))));
  return compare(value, highest) > 0 ? { anomaly, median, highest } : null;
}
