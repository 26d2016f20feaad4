// Calculates the points of a monthly recurring revenue series from sums (MET-13, MET-20, MET-33a).
import { divideRounded } from '../money/money.ts';
import { ratioBps } from '../money/ratio.ts';
import type { Conversion } from './conversion.ts';
import { type MrrMovementKind, type MrrSums, movementKinds, noSums, plus } from './movements.ts';
import { addToDay, type Bucket, type Day, intervalEnd, intervalStart, isClosedDay } from './range.ts';
import type { MrrComponents } from './recurring.ts';

/**
 * Row of sums in a series. If `day` is empty, the row is the total of all days before the first day that is
 * loaded separately.
 */
export type SeriesRow = MrrSums & {
  readonly day: Day;
  readonly currency: string;
  readonly kind: MrrMovementKind | 'level';
  readonly reason: string;
};

/**
 * Total amount of the movements of one type and reason in a bucket, in ten-thousandths of the currency unit
 * (10,000 = 1.00). `amount` is `null` if an exchange rate is missing.
 */
export type MovementSum = {
  readonly kind: MrrMovementKind;
  readonly reason: string;
  readonly amount: bigint | null;
  readonly customers: bigint;
};

/**
 * Monthly recurring revenue of a bucket: at its start, at its end, and the movements in between. Amounts are
 * `null` if an exchange rate is missing.
 */
export type MrrPoint = Bucket & {
  readonly isClosed: boolean;
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  readonly movements: readonly MovementSum[];
  readonly fxImpact: bigint | null;
  readonly atRisk: bigint | null;
  readonly components: { readonly [N in keyof MrrComponents]: bigint | null };
  readonly payingCustomers: bigint;
  readonly arr: bigint | null;
  readonly arpa: bigint | null;
  readonly ltv: bigint | null;
  readonly customerChurnBps: bigint | null;
  readonly grossChurnBps: bigint | null;
  readonly netChurnBps: bigint | null;
  readonly quickRatioBps: bigint | null;
};

export type SeriesOptions = {
  readonly buckets: readonly Bucket[];
  readonly now: Date;
  /** Conversion of the amounts to one currency. `null` if amounts aren't converted. */
  readonly conversion: Conversion | null;
  /** Reasons whose movements are excluded from churn and other rates. */
  readonly excludeReasons: readonly string[];
};

/** Number of months over which customer churn is averaged (MET-20). */
const churnMonths = 3;

/**
 * Returns the first day whose sums a series needs. Earlier months are needed to calculate the lifetime value.
 */
export function firstDayNeeded(from: Day): Day {
  let day = intervalStart(from, 'month');
  for (let month = 0; month < churnMonths; month++) day = intervalStart(addToDay(day, -1), 'month');
  return day;
}

/** Bucket, the day after the bucket, and whether the bucket has ended. */
type Place = Bucket & {
  readonly dayAfter: Day;
  readonly isClosed: boolean;
};

/** Days whose revenue level is needed to calculate a series. The days don't depend on the sums. */
type Frame = {
  readonly buckets: readonly (Place & {
    /** Last days of the latest 3 months that ended by the end of the bucket. */
    readonly closedMonths: readonly Day[];
  })[];
  /** The day before the first bucket, and the last day of each bucket. */
  readonly ends: readonly Day[];
  /** Months included in the calculation of customer churn. */
  readonly months: readonly Place[];
  readonly openings: readonly Day[];
};

const placeOf = ({ start, end }: Bucket, now: Date): Place => ({
  start,
  end,
  dayAfter: addToDay(end, 1),
  isClosed: isClosedDay(end, now),
});

function makeFrame({ buckets, now }: SeriesOptions, from: Day, to: Day): Frame {
  const months: Place[] = [];
  for (let start = firstDayNeeded(from); start <= to; start = months.at(-1)?.dayAfter ?? to)
    months.push(placeOf({ start, end: intervalEnd(start, 'month') }, now));
  return {
    buckets: buckets.map((bucket) => ({ ...placeOf(bucket, now), closedMonths: monthsUntil(bucket.end) })),
    ends: [addToDay(from, -1), ...buckets.map(({ end }) => end)],
    months,
    openings: months.map(({ start }) => addToDay(start, -1)),
  };
}

/**
 * Days needed for a series, cached by options, because all series of a response (one per group and currency) have the
 * same options.
 */
const frames = new WeakMap<SeriesOptions, Frame>();

const byKind = (a: MovementSum, b: MovementSum): number =>
  movementKinds.indexOf(a.kind) - movementKinds.indexOf(b.kind) || (a.reason < b.reason ? -1 : 1);

const byDay = (a: SeriesRow, b: SeriesRow): number => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0);

/** MRR level of each currency. A list, because it rarely has more than one currency, and a series has one list for each day. */
type Levels = readonly { readonly currency: string; readonly sums: MrrSums }[];

const noLevels: Levels = [];

class Rows {
  readonly #levels: readonly SeriesRow[];
  readonly #moves: readonly SeriesRow[];
  readonly #convert: (amount: bigint, currency: string, day: Day) => bigint | null;
  readonly #excluded: ReadonlySet<string>;

  constructor(rows: readonly SeriesRow[], { conversion, excludeReasons }: SeriesOptions) {
    this.#levels = rows.filter(({ kind }) => kind === 'level').sort(byDay);
    this.#moves = rows.filter(({ kind }) => kind !== 'level').sort(byDay);
    this.#convert =
      conversion === null ? (amount) => amount : (amount, from, day) => conversion.rate(amount, from, day);
    this.#excluded = new Set(excludeReasons);
  }

  /** Returns the levels at the end of each day. The days must be sorted. */
  levelsAt(days: readonly Day[]): Levels[] {
    let index = 0;
    let known: Levels = noLevels;
    return days.map((day) => {
      for (let row = this.#levels[index]; row !== undefined && row.day <= day; row = this.#levels[++index]) {
        const { currency } = row;
        const others = known.length === 0 ? known : known.filter((level) => level.currency !== currency);
        const before = known.find((level) => level.currency === currency)?.sums ?? noSums;
        known = [...others, { currency, sums: plus(before, row) }];
      }
      return known;
    });
  }

  level(levels: Levels, name: keyof MrrSums, day: Day): bigint | null {
    let total: bigint | null = 0n;
    for (const { currency, sums } of levels)
      total = plusOrNull(total, this.#convert(sums[name], currency, day));
    return total;
  }

  /** Returns the index of the first movement on or after a day. */
  #placeOf(day: Day): number {
    let [low, high] = [0, this.#moves.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#moves[middle]?.day ?? day) < day) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  movementsIn({ start, dayAfter }: Pick<Place, 'start' | 'dayAfter'>): MovementSum[] {
    // A search in the short list is faster than a map, because a series has tens of thousands of buckets.
    const sums: { -readonly [N in keyof MovementSum]: MovementSum[N] }[] = [];
    for (let index = this.#placeOf(start); ; index++) {
      const row = this.#moves[index];
      if (row === undefined || row.day >= dayAfter) break;
      const { kind, reason, currency, day, customers } = row;
      if (kind === 'level') continue;
      const amount = this.#convert(row.amount, currency, day);
      const known =
        sums.length === 0 ? undefined : sums.find((one) => one.kind === kind && one.reason === reason);
      if (known === undefined) sums.push({ kind, reason, amount, customers });
      else {
        known.amount = plusOrNull(known.amount, amount);
        known.customers += customers;
      }
    }
    // Movements that were reversed by a recalculation of their day add up to 0.
    const isReversed = ({ amount, customers }: MovementSum): boolean => amount === 0n && customers === 0n;
    const left = sums.some(isReversed) ? sums.filter((one) => !isReversed(one)) : sums;
    return left.length < 2 ? left : left.sort(byKind);
  }

  /** Returns the movements without an excluded reason. */
  counted(movements: readonly MovementSum[]): readonly MovementSum[] {
    return this.#excluded.size === 0
      ? movements
      : movements.filter(({ reason }) => !this.#excluded.has(reason));
  }
}

/** Returns the total movement of one type. `null` if an exchange rate is missing. */
export const movedOf = (movements: readonly MovementSum[], kind: MrrMovementKind): bigint | null =>
  totalOf(movements, new Set([kind]));

/** Returns the number of customers who churned. */
const churnedIn = (movements: readonly MovementSum[]): bigint =>
  movements.reduce((total, { kind, customers }) => (kind === 'churn' ? total + customers : total), 0n);

function payingOf(levels: Levels): bigint {
  let total = 0n;
  for (const { sums } of levels) total += sums.paying;
  return total;
}

/** Returns the customer churn of each ended month, by the last day of the month. */
function monthlyChurn(rows: Rows, { months, openings }: Frame): ReadonlyMap<Day, bigint> {
  const levels = rows.levelsAt(openings);
  return new Map(
    months.flatMap((month, index): [Day, bigint][] => {
      const churned = churnedIn(rows.counted(rows.movementsIn(month)));
      const rate = ratioBps(churned, payingOf(levels[index] ?? noLevels));
      return rate === null || !month.isClosed ? [] : [[month.end, rate]];
    }),
  );
}

/**
 * Returns the lifetime value, rounded once (MET-20). The lifetime value is the revenue per customer at the end of the
 * bucket, divided by the mean churn of the latest 3 months that ended.
 */
export function lifetimeValue(
  closing: bigint | null,
  customers: bigint,
  churnBps: readonly (bigint | undefined)[],
): bigint | null {
  if (closing === null || customers === 0n || churnBps.length < churnMonths) return null;
  const total = churnBps.reduce<bigint | null>(
    (found, rate) => (found === null || rate === undefined ? null : found + rate),
    0n,
  );
  return total === null || total === 0n
    ? null
    : divideRounded(closing * 10_000n * BigInt(churnBps.length), customers * total);
}

/** Returns the last days of the latest 3 months that ended on or before a day. */
function monthsUntil(day: Day): Day[] {
  const last = intervalEnd(day, 'month') === day ? day : addToDay(intervalStart(day, 'month'), -1);
  const ends = [last];
  while (ends.length < churnMonths) ends.push(addToDay(intervalStart(ends.at(-1) ?? last, 'month'), -1));
  return ends;
}

const negative = (amount: bigint | null): bigint | null => (amount === null ? null : -amount);

const plusOrNull = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null || b === null ? null : a + b;

/** Returns the total amount of the movements of some types. `null` if an exchange rate is missing. */
function totalOf(
  movements: readonly MovementSum[],
  kinds: ReadonlySet<MrrMovementKind> | null,
): bigint | null {
  let total: bigint | null = 0n;
  for (const { kind, amount } of movements)
    if (kinds === null || kinds.has(kind)) total = plusOrNull(total, amount);
  return total;
}

const losses: ReadonlySet<MrrMovementKind> = new Set(['churn', 'contraction'] as const);
const gains: ReadonlySet<MrrMovementKind> = new Set(['new', 'reactivation', 'expansion'] as const);
const expansions: ReadonlySet<MrrMovementKind> = new Set(['expansion'] as const);

/** Calculates a point. An object literal without spreads keeps the memory of tens of thousands of points small. */
function pointOf(
  rows: Rows,
  { start, end, isClosed, dayAfter, closedMonths }: Frame['buckets'][number],
  {
    opening,
    before,
    after,
  }: { readonly opening: bigint | null; readonly before: Levels; readonly after: Levels },
  churn: ReadonlyMap<Day, bigint>,
): MrrPoint {
  const closing = rows.level(after, 'amount', end);
  const movements = rows.movementsIn({ start, dayAfter });
  const counted = rows.counted(movements);
  const lost = totalOf(counted, losses);
  const payingCustomers = payingOf(after);
  return {
    start,
    end,
    isClosed,
    opening,
    closing,
    movements,
    fxImpact: plusOrNull(plusOrNull(closing, negative(opening)), negative(totalOf(movements, null))),
    atRisk: rows.level(after, 'atRisk', end),
    components: {
      base: rows.level(after, 'base', end),
      discount: rows.level(after, 'discount', end),
      seats: rows.level(after, 'seats', end),
      quota: rows.level(after, 'quota', end),
      addons: rows.level(after, 'addons', end),
    },
    payingCustomers,
    arr: closing === null ? null : 12n * closing,
    arpa: closing === null || payingCustomers === 0n ? null : divideRounded(closing, payingCustomers),
    ltv: lifetimeValue(
      closing,
      payingCustomers,
      closedMonths.map((month) => churn.get(month)),
    ),
    customerChurnBps: ratioBps(churnedIn(counted), payingOf(before)),
    grossChurnBps: ratioBps(negative(lost), opening),
    netChurnBps: ratioBps(negative(plusOrNull(lost, totalOf(counted, expansions))), opening),
    quickRatioBps: ratioBps(totalOf(counted, gains), negative(lost)),
  };
}

/** Returns the points of a series. If amounts are converted, the sums can have several currencies. */
export function mrrPoints(sums: readonly SeriesRow[], options: SeriesOptions): MrrPoint[] {
  const [first, last] = [options.buckets.at(0), options.buckets.at(-1)];
  if (first === undefined || last === undefined) return [];
  const frame = frames.getOrInsertComputed(options, () => makeFrame(options, first.start, last.end));
  const { buckets, ends } = frame;
  const rows = new Rows(sums, options);
  const churn = monthlyChurn(rows, frame);
  const levels = rows.levelsAt(ends);
  return buckets.map((bucket, index) => {
    const before = levels[index] ?? noLevels;
    const opening = rows.level(before, 'amount', ends[index] ?? bucket.start);
    return pointOf(rows, bucket, { opening, before, after: levels[index + 1] ?? noLevels }, churn);
  });
}
