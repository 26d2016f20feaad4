import { type Day, dayOf, midnightOf, type SpanOfSums } from '../../../domain/metrics/range.ts';
import { dayMs } from '../../../domain/time/period.ts';

/**
 * Row of a table of sums. `start` is the first day of the row's month, or the day itself if the row contains a single day. Lists are in
 * PostgreSQL's text format for arrays.
 */
export type ListedRow<Keys> = {
  readonly keys: Keys;
  readonly start: Day;
  readonly days: string;
  readonly amounts: readonly string[];
};

/** Sums for one key in one bucket. `amounts` are in the order of the amount columns. */
export type BucketSum<Keys> = {
  /** Zero-based index of the bucket in the series. */
  readonly span: number;
  readonly keys: Keys;
  readonly amounts: readonly bigint[];
};

/** Returns the numbers of an array that is in PostgreSQL's text format. */
export const numbersOf = (array: string): string[] => (array.length < 3 ? [] : array.slice(1, -1).split(','));

const days = new Map<number, Day>();

/** Returns the day with this number in a month, starting at 1. Cached, because a series uses the same days for each group. */
export function dayAt(start: Day, number: number): Day {
  const at = midnightOf(start).getTime() + (number - 1) * dayMs;
  const found = days.get(at);
  if (found !== undefined) return found;
  // The limit of 10,000 cached days covers 27 years.
  if (days.size > 10_000) days.clear();
  const day = dayOf(new Date(at));
  days.set(at, day);
  return day;
}

/** Returns the index of the last bucket that starts on or before a day. -1 if all buckets start later. */
function placeIn(starts: readonly Day[], day: Day): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? day) <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Adds the daily amounts of the rows to the sums of their buckets, by key. Skips days outside the buckets, which are contiguous. */
export function sumBuckets<Keys>(
  rows: readonly ListedRow<Keys>[],
  spans: readonly SpanOfSums[],
  starts: readonly Day[],
): BucketSum<Keys>[] {
  const [from, to] = [spans[0]?.from ?? '', spans.at(-1)?.to ?? ''];
  const sums = new Map<string, Map<number, { readonly keys: Keys; readonly amounts: bigint[] }>>();
  for (const { keys, start, days: numbers, amounts } of rows) {
    const buckets = sums.getOrInsertComputed(JSON.stringify(keys), () => new Map());
    const lists = amounts.map(numbersOf);
    for (const [index, number] of numbersOf(numbers).entries()) {
      const day = dayAt(start, Number(number));
      if (day < from || day > to) continue;
      const span = placeIn(starts, day);
      const sum = buckets.getOrInsertComputed(span, () => ({ keys, amounts: amounts.map(() => 0n) }));
      for (const [place, list] of lists.entries()) {
        const amount = list[index];
        if (amount !== undefined && amount !== '0')
          sum.amounts[place] = (sum.amounts[place] ?? 0n) + BigInt(amount);
      }
    }
  }
  return [...sums.values()].flatMap((buckets) =>
    [...buckets].flatMap(([span, { keys, amounts }]) =>
      amounts.some((amount) => amount !== 0n) ? [{ span, keys, amounts }] : [],
    ),
  );
}
