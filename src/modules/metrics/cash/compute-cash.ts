import {
  type AmountSeries,
  type BilledScope,
  billedPostings,
  type CashFigure,
  cashFigureNames,
  cashFigures,
  cashPostings,
  convertedSeries,
  type DatedAmount,
  pointFigure,
  seriesByCurrency,
} from '../../../domain/metrics/cash.ts';
import type { Conversion, MissingRate } from '../../../domain/metrics/conversion.ts';
import { largestGroups, otherGroup } from '../../../domain/metrics/groups.ts';
import {
  type Bucket,
  bucketsOf,
  type Day,
  type DayRange,
  isClosedDay,
  isOfMonths,
  type MetricInterval,
  spansOfSums,
} from '../../../domain/metrics/range.ts';
import type { Context } from '../../../request/context.ts';
import { readIsComplete, type Spans } from '../day-sums/store.ts';
import { type ConversionChoice, loadConversion } from '../fx-rates/load-rates.ts';
import { ledgerSource, readBilledSums, readFactSums } from '../ledger-days/store.ts';
import type { Group } from '../ranges/types.ts';

/** Parsed arguments of a cash metrics query. */
export type SeriesInput = DayRange &
  ConversionChoice & { readonly interval?: MetricInterval | null | undefined };

/** Date range of a point in a series. `isClosed` is `true` if the range has ended. */
export type PointSpan = Bucket & { readonly isClosed: boolean };

/** Cash amounts of a point in a series, in minor units. An amount is `null` if an exchange rate is missing. */
export type CashPoint = PointSpan & Readonly<Record<CashFigure, bigint | null>>;

/** Properties that cash, billed, recovery, and receivables series have in common. */
export type SeriesHead = {
  readonly currency: string;
  readonly isConverted: boolean;
  readonly isComplete: boolean;
  readonly missingRates: readonly MissingRate[];
};

export type CashSeries = SeriesHead & { readonly points: readonly CashPoint[] };

/** Billed amount of a point in a series, in minor units. `null` if an exchange rate is missing. */
export type BilledPoint = PointSpan & { readonly amount: bigint | null };

export type BilledSeries = SeriesHead & {
  readonly group: Group | null;
  readonly points: readonly BilledPoint[];
};

/** Buckets of a series, the spans for reading its stored sums, and the currency conversion of its amounts. */
export type Frame = {
  readonly buckets: readonly Bucket[];
  readonly days: readonly Day[];
  readonly spans: Spans;
  readonly conversion: Conversion | null;
};

/**
 * Returns the buckets, spans, and currency conversion of a series. Stored sums are read per bucket, or per day if
 * exchange rates differ by day.
 */
export async function frameOf(ctx: Context, input: SeriesInput): Promise<Frame> {
  const { from, to } = input;
  const interval = input.interval ?? 'day';
  const buckets = bucketsOf({ from, to }, interval);
  const conversion = await loadConversion(ctx, input, { from, to });
  const starts = (conversion === null ? buckets : daysOf(buckets)).map(({ start }) => start);
  const spans = spansOfSums({ from, to }, isOfMonths(interval, conversion !== null));
  return { buckets, days: starts, spans: { starts, spans }, conversion };
}

/** Splits each bucket into buckets of one day. */
const daysOf = (buckets: readonly Bucket[]): Bucket[] =>
  buckets.flatMap(({ start, end }) => allDays(start, end).map((day) => ({ start: day, end: day })));

function allDays(start: Day, end: Day): Day[] {
  const days: Day[] = [];
  for (let ms = Date.parse(start); ms <= Date.parse(end); ms += 86_400_000)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return days;
}

/** Builds series of amounts: a single series in the requested currency, or one series per currency. */
const seriesOf = ({ buckets, days, conversion }: Frame, amounts: readonly DatedAmount[]): AmountSeries[] =>
  conversion === null
    ? seriesByCurrency(buckets, amounts)
    : [convertedSeries(buckets, days, amounts, conversion)];

/** Returns the shared properties of a series in one currency. Call this function after the series' amounts have been converted. */
export const headOf = ({ conversion }: Frame, currency: string, isComplete: boolean): SeriesHead => ({
  currency,
  isConverted: conversion !== null,
  isComplete,
  missingRates: conversion?.missing ?? [],
});

/** Returns the date range of a bucket, and whether it has ended. */
export const pointSpan = (ctx: Context, { start, end }: Bucket): PointSpan => ({
  start,
  end,
  isClosed: isClosedDay(end, ctx.clock.now()),
});

/** Computes cash amounts by bucket: one series per currency with cash movements, or a single series in the requested currency. */
export async function computeCash(ctx: Context, input: SeriesInput): Promise<CashSeries[]> {
  const frame = await frameOf(ctx, input);
  const [sums, isComplete] = await Promise.all([
    readFactSums(ctx.reads, frame.spans, cashPostings),
    readIsComplete(ctx.reads, ledgerSource),
  ]);
  const amounts = sums.map(({ fact, ...sum }) => ({ ...sum, key: fact }));
  return seriesOf(frame, amounts).map(({ currency, points }) => ({
    ...headOf(frame, currency, isComplete),
    points: points.map((point, place) => {
      const bucket = frame.buckets[place] as Bucket;
      const figures = cashFigureNames.map((name) => [name, pointFigure(cashFigures[name], point)]);
      // The entries contain every amount of the point, so the cast is safe.
      return {
        ...pointSpan(ctx, bucket),
        ...(Object.fromEntries(figures) as Record<CashFigure, bigint | null>),
      };
    }),
  }));
}

/** Dimension for grouping billed amounts. */
export type BilledGrouping = Exclude<BilledScope, 'currency'>;

const groupOf = (key: string): Group => ({ key, name: key === otherGroup ? 'Other' : key });

/** Computes billed amounts by bucket: one series per currency and group. Groups beyond the 50 largest are combined. */
export async function computeBilled(
  ctx: Context,
  input: SeriesInput & { readonly groupBy?: BilledGrouping | null | undefined },
): Promise<BilledSeries[]> {
  const frame = await frameOf(ctx, input);
  const scope = input.groupBy ?? 'currency';
  const isGrouped = scope !== 'currency';
  const [sums, isComplete] = await Promise.all([
    readBilledSums(ctx.reads, frame.spans, scope),
    readIsComplete(ctx.reads, ledgerSource),
  ]);
  const largest = largestGroups(sums);
  const amounts = sums.map((sum) => (largest.has(sum.key) ? sum : { ...sum, key: otherGroup }));
  const groups = [...new Set(amounts.map(({ key }) => key))].sort();
  return seriesOf(frame, amounts).flatMap(({ currency, points }) =>
    (!isGrouped ? [''] : groups.filter((key) => points.some((point) => point.has(key)))).map((key) => ({
      ...headOf(frame, currency, isComplete),
      group: isGrouped ? groupOf(key) : null,
      points: points.map((point, place) => ({
        ...pointSpan(ctx, frame.buckets[place] as Bucket),
        amount: point.get(key) ?? (point.has(key) ? null : 0n),
      })),
    })),
  );
}

/** Returns the billed amount of a date range by currency, in minor units. Sums the ledger transfers in the range. */
export async function billedOf(ctx: Context, { from, to }: DayRange): Promise<Map<string, bigint>> {
  const sums = await readFactSums(
    ctx.reads,
    { starts: [from], spans: spansOfSums({ from, to }, true) },
    Object.keys(billedPostings),
  );
  const billed = new Map<string, bigint>();
  for (const { currency, fact, amount } of sums) {
    const sign = BigInt(billedPostings[fact as keyof typeof billedPostings]);
    billed.set(currency, (billed.get(currency) ?? 0n) + sign * amount);
  }
  return billed;
}
