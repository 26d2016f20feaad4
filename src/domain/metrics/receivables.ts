// What customers owe at the end of a day, by how long it is due (MET-51).
import { divideRounded } from '../money.ts';
import { type Day, daysFrom } from './range.ts';

/** Spans of days past the due day: at most the number of days, the last without end. */
export const ageingSpans = [
  ['notDue', 0],
  ['d1To30', 30],
  ['d31To60', 60],
  ['d61To90', 90],
  ['d91', Number.POSITIVE_INFINITY],
] as const;

/** A span of days past the due day. */
export type AgeingSpan = (typeof ageingSpans)[number][0];

/** What is owed by how long it is due; minor units. */
export type Ageing = Readonly<Record<AgeingSpan, bigint>>;

/** The span of what is due on a day, at the end of another. */
export function ageingSpanOf(dueDay: Day, day: Day): AgeingSpan {
  const late = daysFrom(dueDay, day);
  return ageingSpans.find(([, most]) => late <= most)?.[0] ?? 'd91';
}

/** Amounts by their due day, aged at the end of a day. */
export function ageingOf(
  open: readonly { readonly dueDay: Day; readonly amount: bigint }[],
  day: Day,
): Ageing {
  const ageing: Record<AgeingSpan, bigint> = { notDue: 0n, d1To30: 0n, d31To60: 0n, d61To90: 0n, d91: 0n };
  for (const { dueDay, amount } of open) ageing[ageingSpanOf(dueDay, day)] += amount;
  return ageing;
}

/** Days whose billed amounts the days sales outstanding look at. */
export const billedDays = 90;

/** Receivables divided by what 90 days billed, times 90, rounded half up to whole days; null where nothing was billed. */
export const daysSalesOutstanding = (receivable: bigint, billed: bigint): bigint | null =>
  billed <= 0n ? null : divideRounded(receivable * BigInt(billedDays), billed);
