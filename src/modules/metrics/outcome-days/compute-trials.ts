import {
  type Bucket,
  bucketsOf,
  type DayRange,
  isClosedDay,
  isOfMonths,
  type MetricInterval,
  spansOfSums,
} from '../../../domain/metrics/range.ts';
import { summarizeTrials } from '../../../domain/metrics/trials.ts';
import type { Context } from '../../../request/context.ts';
import { readIsComplete } from '../day-sums/store.ts';
import { outcomeSource, readTrials } from './store.ts';

/** Counts of free trials in the date range of a point. */
export type TrialPoint = Bucket & { readonly isClosed: boolean } & ReturnType<typeof summarizeTrials>;

export type TrialSeries = { readonly isComplete: boolean; readonly points: readonly TrialPoint[] };

/**
 * Computes free trials by bucket: the number of started trials, and the outcomes of ended trials (MET-40).
 */
export async function computeTrials(
  ctx: Context,
  input: DayRange & { readonly interval?: MetricInterval | null | undefined },
): Promise<TrialSeries> {
  const { from, to } = input;
  const interval = input.interval ?? 'day';
  const buckets = bucketsOf({ from, to }, interval);
  const starts = buckets.map(({ start }) => start);
  const [rows, isComplete] = await Promise.all([
    readTrials(ctx.reads, { starts, spans: spansOfSums({ from, to }, isOfMonths(interval, false)) }),
    readIsComplete(ctx.reads, outcomeSource),
  ]);
  const bySpan = Map.groupBy(rows, ({ span }) => span);
  const now = ctx.clock.now();
  return {
    isComplete,
    points: buckets.map((bucket, span) => ({
      ...bucket,
      isClosed: isClosedDay(bucket.end, now),
      ...summarizeTrials(bySpan.get(span) ?? []),
    })),
  };
}
