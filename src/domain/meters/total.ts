// Total of a usage window from all its events, for meters whose total is known only at the end (PRM-121).
import { divideRounded, maxOf } from '../money/money.ts';
import type { EventProperties } from '../rates/derived.ts';
import { levelTotals, type TimedChange } from './level.ts';
import { placeOf } from './level-history.ts';
import { type Measured, measure } from './measure.ts';
import { eventAggregation, holdsLevel, type MeterBucket, type MeterDocument, scaleOf } from './meter.ts';

/** Time range of a window: the start, inclusive, and the end, exclusive. */
type Span = { readonly start: Date; readonly end: Date };

/** Stored event of a window. `quantity` is `null` if it equals `value`. */
export type WindowEvent = {
  readonly value: bigint;
  readonly quantity: string | null;
  readonly properties: EventProperties;
  readonly ts: Date;
  readonly seq: bigint;
  /** Change of the level in counted units. `null` or absent if the event changes no level. */
  readonly levelChange?: bigint | null;
  /** Number of the corrected event in whose place the event changes the level. `null` or absent if the event has its own place. */
  readonly levelSeq?: bigint | null;
};

/** Returns the quantity of a stored event. Fails as `measure` does. */
export const measuredAgain = (
  meter: MeterDocument | null,
  { value, quantity, properties }: WindowEvent,
): ReturnType<typeof measure> =>
  measure(meter, { value: quantity === null ? value : null, quantity, properties });

/** Counted event. `atMs` is its time inside the window. */
type Counted = Measured & TimedChange & { readonly seq: bigint };

const byTime = (a: Counted, b: Counted): number => a.atMs - b.atMs || (a.seq < b.seq ? -1 : 1);

/** Returns the counted events in order of time. Times outside the window are moved to the window's nearest end (PRM-124). */
function countedEvents(
  meter: MeterDocument,
  events: readonly WindowEvent[],
  { start, end }: Span,
): Counted[] {
  const last = Math.max(start.getTime(), end.getTime() - 1);
  return events
    .flatMap((event): Counted[] => {
      const measured = measuredAgain(meter, event);
      if ('code' in measured || !measured.isCounted) return [];
      const atMs = Math.min(last, Math.max(start.getTime(), event.ts.getTime()));
      return [{ ...measured, atMs, seq: placeOf(event), change: event.levelChange ?? 0n }];
    })
    .sort(byTime);
}

const sumOf = (units: readonly bigint[]): bigint => units.reduce((sum, one) => sum + one, 0n);

/** Returns the total of events in order of time, by an aggregation that doesn't depend on the window. */
function totalOfEvents(meter: MeterDocument, events: readonly Counted[]): bigint {
  const units = events.map((event) => event.units);
  switch (eventAggregation(meter)) {
    case 'count':
      return BigInt(events.length) * scaleOf(meter);
    case 'unique':
      return BigInt(new Set(events.map(({ key }) => key)).size) * scaleOf(meter);
    case 'max':
      return units.reduce(maxOf, 0n);
    case 'latest':
      return units.at(-1) ?? 0n;
    default:
      return sumOf(units);
  }
}

const bucketMs: Readonly<Record<MeterBucket['every'], number>> = { hour: 3_600_000, day: 86_400_000 };

/** Totals of the buckets with events, and the number of all buckets of the window. */
type Buckets = { readonly totals: readonly bigint[]; readonly count: bigint };

function bucketsOf(
  meter: MeterDocument,
  every: MeterBucket['every'],
  events: readonly Counted[],
  { start, end }: Span,
): Buckets {
  const size = bucketMs[every];
  const first = Math.floor(start.getTime() / size);
  const count = BigInt(Math.max(1, Math.ceil(end.getTime() / size) - first));
  const groups = Map.groupBy(events, ({ atMs }) => Math.floor(atMs / size));
  return { totals: [...groups.values()].map((group) => totalOfEvents(meter, group)), count };
}

/** Returns the nearest-rank percentile of values, of which those that aren't listed are 0. */
function percentileOf(rank: number, { totals, count }: Buckets): bigint {
  const place = (BigInt(rank) * count + 99n) / 100n;
  const zeros = count - BigInt(totals.length);
  const sorted = totals.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return place <= zeros ? 0n : (sorted[Number(place - zeros) - 1] ?? 0n);
}

/** Returns the sum of level × time held, divided by the length of the window. The level is 0 before the first event. */
function timeWeighted(events: readonly Counted[], { start, end }: Span): bigint {
  const length = BigInt(end.getTime() - start.getTime());
  if (length <= 0n) return events.at(-1)?.units ?? 0n;
  const held = events.map(({ units, atMs }, index) => {
    const until = events[index + 1]?.atMs ?? end.getTime();
    return units * BigInt(until - atMs);
  });
  return divideRounded(sumOf(held), length);
}

/** Returns the buckets of a window with a level. A window without buckets is one bucket. */
function levelBuckets(
  meter: MeterDocument,
  opening: bigint,
  events: readonly Counted[],
  { start, end }: Span,
): Buckets {
  const range = { startMs: start.getTime(), endMs: end.getTime() };
  const totals = levelTotals(meter, opening, events, range, bucketMs[meter.bucket?.every ?? 'day']);
  return { totals, count: BigInt(totals.length) };
}

/**
 * Returns the total of a window from its stored events, in counted units, rounded to the decimals of the meter. `opening` is the level at the
 * start of the window, if the meter holds a level.
 */
export function totalOf(
  meter: MeterDocument,
  events: readonly WindowEvent[],
  window: Span,
  opening = 0n,
): bigint {
  const counted = countedEvents(meter, events, window);
  const { aggregation, bucket, percentile = 100 } = meter;
  const isLevel = holdsLevel(meter);
  if (aggregation === 'time_weighted' && !isLevel) return timeWeighted(counted, window);
  const buckets: Buckets = isLevel
    ? levelBuckets(meter, opening, counted, window)
    : bucket === undefined
      ? { totals: counted.map(({ units }) => units), count: BigInt(counted.length) }
      : bucketsOf(meter, bucket.every, counted, window);
  if (aggregation === 'percentile') return percentileOf(percentile, buckets);
  if (aggregation === 'average') return divideRounded(sumOf(buckets.totals), buckets.count);
  if (bucket === undefined && !isLevel) return totalOfEvents(meter, counted);
  return aggregation === 'max' || aggregation === 'time_weighted'
    ? buckets.totals.reduce(maxOf, 0n)
    : sumOf(buckets.totals);
}
