import { divideRounded } from './money.ts';
import { daysRemaining, type Period, totalDays } from './period.ts';

/** `amount × days ÷ totalDays`, rounded once (GLO-11). Throws for a span without days. */
export function shareOfDays(amount: bigint, days: number, ofDays: number): bigint {
  if (ofDays <= 0) throw new RangeError('A share of days needs a span of at least one day.');
  return divideRounded(amount * BigInt(days), BigInt(ofDays));
}

/** The unused part of an amount paid for a period; the day of `now` counts as unused (GLO-17, SUB-39). */
export const unusedPart = (amount: bigint, period: Period, now: Date): bigint =>
  shareOfDays(amount, daysRemaining(period, now), totalDays(period));
