import type { Context } from '../../context.ts';
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
} from '../../domain/metrics/cash.ts';
import type { Conversion, MissingRate } from '../../domain/metrics/conversion.ts';
import { largestGroups, otherGroup } from '../../domain/metrics/groups.ts';
import {
  type Bucket,
  bucketsOf,
  type Day,
  type DayRange,
  isClosedDay,
  isOfMonths,
  type MetricInterval,
  spansOfSums,
} from '../../domain/metrics/range.ts';
import { type ConversionChoice, loadConversion } from '../fx-rates/load-rates.ts';
import { readBilledSums, readFactSums, readIsComplete, type Spans } from '../ledger-days/store.ts';
import type { Group } from '../metric-ranges/types.ts';

/** A range, its interval and the currency its amounts are asked for in. */
export type SeriesInput = DayRange &
  ConversionChoice & { readonly interval?: MetricInterval | null | undefined };

/** The days of one point. */
export type PointSpan = Bucket & { readonly isClosed: boolean };

/** Cash of one point; null where a rate is missing. Minor units. */
export type CashPoint = PointSpan & Readonly<Record<CashFigure, bigint | null>>;

/** What every series says of itself. */
export type SeriesHead = {
  readonly currency: string;
  readonly isConverted: boolean;
  readonly isComplete: boolean;
  readonly missingRates: readonly MissingRate[];
};

export type CashSeries = SeriesHead & { readonly points: readonly CashPoint[] };

/** An amount of one point; null where a rate is missing. Minor units. */
export type BilledPoint = PointSpan & { readonly amount: bigint | null };

export type BilledSeries = SeriesHead & {
  readonly group: Group | null;
  readonly points: readonly BilledPoint[];
};

/** What a series is made of: its buckets, the spans its sums are read by, and its conversion. */
export type Frame = {
  readonly buckets: readonly Bucket[];
  readonly days: readonly Day[];
  readonly spans: Spans;
  readonly conversion: Conversion | null;
};

/** The frame of a series. Sums are read by bucket, or by day where each day is converted at a rate of its own. */
export async function frameOf(ctx: Context, input: SeriesInput): Promise<Frame> {
  const { from, to } = input;
  const interval = input.interval ?? 'day';
  const buckets = bucketsOf({ from, to }, interval);
  const conversion = await loadConversion(ctx, input, { from, to });
  const starts = (conversion === null ? buckets : daysOf(buckets)).map(({ start }) => start);
  const spans = spansOfSums({ from, to }, isOfMonths(interval, conversion !== null));
  return { buckets, days: starts, spans: { starts, spans }, conversion };
}

/** The days of buckets, each as a bucket of its own. */
const daysOf = (buckets: readonly Bucket[]): Bucket[] =>
  buckets.flatMap(({ start, end }) => allDays(start, end).map((day) => ({ start: day, end: day })));

function allDays(start: Day, end: Day): Day[] {
  const days: Day[] = [];
  for (let ms = Date.parse(start); ms <= Date.parse(end); ms += 86_400_000)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return days;
}

/** The series of amounts: one of the conversion's currency, else one for each currency there is. */
const seriesOf = ({ buckets, days, conversion }: Frame, amounts: readonly DatedAmount[]): AmountSeries[] =>
  conversion === null
    ? seriesByCurrency(buckets, amounts)
    : [convertedSeries(buckets, days, amounts, conversion)];

/** What a series in a currency says of itself, once its amounts are converted. */
export const headOf = ({ conversion }: Frame, currency: string, isComplete: boolean): SeriesHead => ({
  currency,
  isConverted: conversion !== null,
  isComplete,
  missingRates: conversion?.missing ?? [],
});

/** The days of a bucket, and whether they are over. */
export const pointSpan = (ctx: Context, { start, end }: Bucket): PointSpan => ({
  start,
  end,
  isClosed: isClosedDay(end, ctx.clock.now()),
});

/** Cash by bucket: one series for each currency something moved in, or one in the currency that is asked for. */
export async function computeCash(ctx: Context, input: SeriesInput): Promise<CashSeries[]> {
  const frame = await frameOf(ctx, input);
  const [sums, isComplete] = await Promise.all([
    readFactSums(ctx.sql, frame.spans, cashPostings),
    readIsComplete(ctx.sql),
  ]);
  const amounts = sums.map(({ fact, ...sum }) => ({ ...sum, key: fact }));
  return seriesOf(frame, amounts).map(({ currency, points }) => ({
    ...headOf(frame, currency, isComplete),
    points: points.map((point, place) => {
      const bucket = frame.buckets[place] as Bucket;
      const figures = cashFigureNames.map((name) => [name, pointFigure(cashFigures[name], point)]);
      // One entry for each name of a figure.
      return {
        ...pointSpan(ctx, bucket),
        ...(Object.fromEntries(figures) as Record<CashFigure, bigint | null>),
      };
    }),
  }));
}

/** What billed amounts can be grouped by. */
export type BilledGrouping = Exclude<BilledScope, 'currency'>;

const groupOf = (key: string): Group => ({ key, name: key === otherGroup ? 'Other' : key });

/** Billed amounts by bucket and group: one series for each currency and group, the largest 50 groups and the others as one. */
export async function computeBilled(
  ctx: Context,
  input: SeriesInput & { readonly groupBy?: BilledGrouping | null | undefined },
): Promise<BilledSeries[]> {
  const frame = await frameOf(ctx, input);
  const scope = input.groupBy ?? 'currency';
  const isGrouped = scope !== 'currency';
  const [sums, isComplete] = await Promise.all([
    readBilledSums(ctx.sql, frame.spans, scope),
    readIsComplete(ctx.sql),
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

/** What the facts of the ledger say was billed, by currency; minor units. */
export async function billedOf(ctx: Context, { from, to }: DayRange): Promise<Map<string, bigint>> {
  const sums = await readFactSums(
    ctx.sql,
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
