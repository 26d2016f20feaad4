import { type Day, dayOf, midnightOf, type SpanOfSums } from '../../domain/metrics/range.ts';
import { dayMs } from '../../domain/period.ts';

/** A row of lists as it is read: the first of a month, or a day where it is of one, and lists as texts of arrays. */
export type ListedRow<Keys> = {
  readonly keys: Keys;
  readonly start: Day;
  readonly days: string;
  readonly amounts: readonly string[];
};

/** The sums of one bucket and key, in the order of the columns. */
export type BucketSum<Keys> = {
  /** The place of the bucket, from 0. */
  readonly span: number;
  readonly keys: Keys;
  readonly amounts: readonly bigint[];
};

/** The texts of the numbers of an array; none where it is empty. */
export const numbersOf = (array: string): string[] => (array.length < 3 ? [] : array.slice(1, -1).split(','));

const days = new Map<number, Day>();

/** The day a number of days after another one; those of a series are asked for once for each of its groups. */
export function dayAt(start: Day, number: number): Day {
  const at = midnightOf(start).getTime() + (number - 1) * dayMs;
  const found = days.get(at);
  if (found !== undefined) return found;
  // Some thirty years of days.
  if (days.size > 10_000) days.clear();
  const day = dayOf(new Date(at));
  days.set(at, day);
  return day;
}

/** The place of the last bucket that begins by a day; -1 where none does. */
function placeIn(starts: readonly Day[], day: Day): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? day) <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Adds the days of rows to the buckets they lie in, by key. Days outside the spans, which follow each other, count in none. */
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
