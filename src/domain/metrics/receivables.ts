// Outstanding amounts at the end of a day, grouped by days past due (MET-51).
import { divideRounded } from '../money/money.ts';
import { type Day, daysFrom } from './range.ts';

/** Aging buckets with their maximum number of days past the due date. The last bucket has no maximum. */
export const ageingSpans = [
  ['notDue', 0],
  ['d1To30', 30],
  ['d31To60', 60],
  ['d61To90', 90],
  ['d91', Number.POSITIVE_INFINITY],
] as const;

export type AgeingSpan = (typeof ageingSpans)[number][0];

/** Outstanding amounts by aging bucket, in minor units. */
export type Ageing = Readonly<Record<AgeingSpan, bigint>>;

/** Returns the aging bucket at the end of `day` for an amount that is due on `dueDay`. */
export function ageingSpanOf(dueDay: Day, day: Day): AgeingSpan {
  const late = daysFrom(dueDay, day);
  return ageingSpans.find(([, most]) => late <= most)?.[0] ?? 'd91';
}

/** Returns the outstanding amounts at the end of a day by aging bucket. */
export function ageingOf(
  open: readonly { readonly dueDay: Day; readonly amount: bigint }[],
  day: Day,
): Ageing {
  const ageing: Record<AgeingSpan, bigint> = { notDue: 0n, d1To30: 0n, d31To60: 0n, d61To90: 0n, d91: 0n };
  for (const { dueDay, amount } of open) ageing[ageingSpanOf(dueDay, day)] += amount;
  return ageing;
}

/** Number of days whose billed amounts are used to calculate days sales outstanding (DSO). */
export const billedDays = 90;

/**
 * Returns the days sales outstanding: receivables divided by the amount billed in 90 days, times 90, rounded
 * half up to whole days. `null` if nothing was billed.
 */
export const daysSalesOutstanding = (receivable: bigint, billed: bigint): bigint | null =>
  billed <= 0n ? null : divideRounded(receivable * BigInt(billedDays), billed);
