import { type RecoveryCases, summarizeRecovery } from '../../../domain/metrics/recovery.ts';
import type { Context } from '../../../request/context.ts';
import { readIsComplete } from '../day-sums/store.ts';
import { outcomeSource, type RecoveryRow, readRecovery } from '../outcome-days/store.ts';
import {
  frameOf,
  headOf,
  type PointSpan,
  pointSpan,
  type SeriesHead,
  type SeriesInput,
} from './compute-cash.ts';

/** Outcomes of the invoices whose payment first failed in the date range of a point. */
export type RecoveryPoint = PointSpan & ReturnType<typeof summarizeRecovery>;

export type RecoverySeries = SeriesHead & { readonly points: readonly RecoveryPoint[] };

/**
 * Computes the outcomes of invoices in dunning, by the day of their first failed payment: one series per currency, or a single series in
 * the requested currency.
 */
export async function computeRecovery(ctx: Context, input: SeriesInput): Promise<RecoverySeries[]> {
  const frame = await frameOf(ctx, input);
  const { buckets, days, spans, conversion } = frame;
  const [rows, isComplete] = await Promise.all([
    readRecovery(ctx.reads, spans),
    readIsComplete(ctx.reads, outcomeSource),
  ]);
  const dayOf = ({ span }: RecoveryRow) => days[span] ?? input.to;
  const seriesOf = (currency: string, of: readonly RecoveryRow[]) => {
    const cases = of.map((row) => ({
      day: dayOf(row),
      ...row,
      amount: conversion === null ? row.amount : conversion.minor(row.amount, row.currency, dayOf(row)),
    })) satisfies readonly RecoveryCases[];
    const byDay = Map.groupBy(cases, ({ day }) => day);
    let place = 0;
    const points = buckets.map((bucket) => {
      const own: typeof cases = [];
      // The buckets cover all days in the range, in order.
      for (let day = days[place]; day !== undefined && day <= bucket.end; day = days[++place])
        own.push(...(byDay.get(day) ?? []));
      return { ...pointSpan(ctx, bucket), ...summarizeRecovery(own) };
    });
    return { ...headOf(frame, currency, isComplete), points };
  };
  if (conversion !== null) return [seriesOf(conversion.currency, rows)];
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, of]) => seriesOf(currency, of));
}
