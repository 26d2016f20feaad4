// Calculates the points of a monthly recurring revenue series from sums (MET-13, MET-20, MET-33a).
import { divideRounded } from '../money/money.ts';
import { ratioBps } from '../money/ratio.ts';
import type { Conversion } from './conversion.ts';
import { type MrrMovementKind, type MrrSums, movementKinds, noSums, plus } from './movements.ts';
import { addToDay, type Bucket, type Day, intervalEnd, intervalStart, isClosedDay } from './range.ts';
import { componentNames, type MrrComponents } from './recurring.ts';

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

const sum = (amounts: readonly (bigint | null)[]): bigint | null =>
  amounts.reduce<bigint | null>((total, one) => (total === null || one === null ? null : total + one), 0n);

/** MRR level by currency. */
type Levels = ReadonlyMap<string, MrrSums>;

class Rows {
  readonly #levels: readonly SeriesRow[];
  readonly #moves: readonly SeriesRow[];
  readonly #convert: (amount: bigint, currency: string, day: Day) => bigint | null;
  readonly #excluded: ReadonlySet<string>;

  constructor(rows: readonly SeriesRow[], { conversion, excludeReasons }: SeriesOptions) {
    const sorted = rows.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
    this.#levels = sorted.filter(({ kind }) => kind === 'level');
    this.#moves = sorted.filter(({ kind }) => kind !== 'level');
    this.#convert = (...amount) => (conversion === null ? amount[0] : conversion.rate(...amount));
    this.#excluded = new Set(excludeReasons);
  }

  /** Returns the levels at the end of each day. The days must be sorted. */
  levelsAt(days: readonly Day[]): Levels[] {
    const current = new Map<string, MrrSums>();
    let index = 0;
    let known: Levels = new Map();
    return days.map((day) => {
      const begun = index;
      for (let row = this.#levels[index]; row !== undefined && row.day <= day; row = this.#levels[++index])
        current.set(row.currency, plus(current.get(row.currency) ?? noSums, row));
      if (index > begun) known = new Map(current);
      return known;
    });
  }

  level(levels: Levels, name: keyof MrrSums, day: Day): bigint | null {
    let total: bigint | null = 0n;
    for (const [currency, sums] of levels) {
      const amount = this.#convert(sums[name], currency, day);
      total = total === null || amount === null ? null : total + amount;
    }
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

  movementsIn({ start, dayAfter }: Place): MovementSum[] {
    const found = this.#moves.slice(this.#placeOf(start), this.#placeOf(dayAfter));
    if (found.length === 0) return [];
    const groups = Map.groupBy(found, ({ kind, reason }) => `${kind} ${reason}`);
    return (
      [...groups.values()]
        .map((rows): MovementSum => {
          const [first] = rows;
          if (first === undefined || first.kind === 'level') throw new Error('A movement has no rows.');
          return {
            kind: first.kind,
            reason: first.reason,
            amount: sum(rows.map(({ amount, currency, day }) => this.#convert(amount, currency, day))),
            customers: rows.reduce((total, { customers }) => total + customers, 0n),
          };
        })
        // Movements that were reversed by a recalculation of their day add up to 0.
        .filter(({ amount, customers }) => amount !== 0n || customers !== 0n)
        .sort(
          (a, b) =>
            movementKinds.indexOf(a.kind) - movementKinds.indexOf(b.kind) || (a.reason < b.reason ? -1 : 1),
        )
    );
  }

  /** Returns the movements of the given types, except movements with an excluded reason. */
  counted(movements: readonly MovementSum[], ...kinds: readonly MrrMovementKind[]): MovementSum[] {
    return movements.filter(({ kind, reason }) => kinds.includes(kind) && !this.#excluded.has(reason));
  }
}

const amountOf = (movements: readonly MovementSum[]): bigint | null =>
  sum(movements.map(({ amount }) => amount));

/** Returns the total movement of one type. `null` if an exchange rate is missing. */
export const movedOf = (movements: readonly MovementSum[], kind: MrrMovementKind): bigint | null =>
  amountOf(movements.filter((movement) => movement.kind === kind));

const customersOf = (movements: readonly MovementSum[]): bigint =>
  movements.reduce((total, { customers }) => total + customers, 0n);

const payingOf = (levels: Levels): bigint =>
  [...levels.values()].reduce((total, { paying }) => total + paying, 0n);

/** Returns the customer churn of each ended month, by the last day of the month. */
function monthlyChurn(rows: Rows, { months, openings }: Frame): ReadonlyMap<Day, bigint> {
  const levels = rows.levelsAt(openings);
  return new Map(
    months.flatMap((month, index): [Day, bigint][] => {
      const churned = customersOf(rows.counted(rows.movementsIn(month), 'churn'));
      const rate = ratioBps(churned, payingOf(levels[index] ?? new Map()));
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

/** Returns the points of a series. If amounts are converted, the sums can have several currencies. */
export function mrrPoints(sums: readonly SeriesRow[], options: SeriesOptions): MrrPoint[] {
  const [first, last] = [options.buckets.at(0), options.buckets.at(-1)];
  if (first === undefined || last === undefined) return [];
  const frame = frames.getOrInsertComputed(options, () => makeFrame(options, first.start, last.end));
  const { buckets, ends } = frame;
  const rows = new Rows(sums, options);
  const churn = monthlyChurn(rows, frame);
  const levels = rows.levelsAt(ends);
  return buckets.map(({ closedMonths, dayAfter, ...bucket }, index) => {
    const [before, after] = [levels[index] ?? new Map(), levels[index + 1] ?? new Map()];
    const at = (name: keyof MrrSums): bigint | null => rows.level(after, name, bucket.end);
    const opening = rows.level(before, 'amount', ends[index] ?? bucket.start);
    const closing = at('amount');
    const movements = rows.movementsIn({ ...bucket, dayAfter });
    const moved = (...kinds: readonly MrrMovementKind[]) => amountOf(rows.counted(movements, ...kinds));
    const lost = moved('churn', 'contraction');
    const gained = moved('new', 'reactivation', 'expansion');
    const negative = (amount: bigint | null): bigint | null => (amount === null ? null : -amount);
    const payingCustomers = payingOf(after);
    const all = amountOf(movements);
    return {
      ...bucket,
      opening,
      closing,
      movements,
      fxImpact: sum([closing, negative(opening), negative(all)]),
      atRisk: at('atRisk'),
      components: Object.fromEntries(
        componentNames.map((name) => [name, at(name)]),
      ) as MrrPoint['components'],
      payingCustomers,
      arr: closing === null ? null : 12n * closing,
      arpa: closing === null || payingCustomers === 0n ? null : divideRounded(closing, payingCustomers),
      ltv: lifetimeValue(
        closing,
        payingCustomers,
        closedMonths.map((end) => churn.get(end)),
      ),
      customerChurnBps: ratioBps(customersOf(rows.counted(movements, 'churn')), payingOf(before)),
      grossChurnBps: ratioBps(negative(lost), opening),
      netChurnBps: ratioBps(negative(sum([lost, moved('expansion')])), opening),
      quickRatioBps: ratioBps(gained, negative(lost)),
    };
  });
}
