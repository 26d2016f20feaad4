import type { MissingRate } from '../../../domain/metrics/conversion.ts';
import { largestGroups, otherGroup } from '../../../domain/metrics/groups.ts';
import { firstDayNeeded, type MrrPoint, mrrPoints } from '../../../domain/metrics/mrr-series.ts';
import { bucketsOf, type DayRange, type MetricInterval } from '../../../domain/metrics/range.ts';
import type { Context } from '../../../request/context.ts';
import { type ConversionChoice, loadConversion } from '../fx-rates/load-rates.ts';
import type { Group } from '../ranges/types.ts';
import { readWithPending } from './load-pending.ts';
import { chooseRollups, type GroupedRow, type RollupChoice, type SeriesDimension, spansOf } from './rules.ts';
import { readPlanNames, readRollups } from './store.ts';

type Values = readonly string[] | null | undefined;

/** Filter for an MRR series. Absent fields match all revenue. */
type MrrFilterInput = {
  readonly planIds?: Values;
  readonly intervals?: Values;
  readonly countries?: Values;
  readonly currencies?: Values;
  readonly excludeReasons?: Values;
};

export type MrrInput = DayRange &
  ConversionChoice & {
    readonly interval?: MetricInterval | null | undefined;
    readonly groupBy?: SeriesDimension | null | undefined;
    readonly filter?: MrrFilterInput | null | undefined;
  };

/** Monthly recurring revenue over time, in one currency and, if the series is grouped, in one group. */
export type MrrSeries = {
  readonly currency: string;
  readonly isConverted: boolean;
  readonly group: Group | null;
  readonly isComplete: boolean;
  readonly missingRates: readonly MissingRate[];
  readonly points: readonly MrrPoint[];
};

const choiceOf = ({ groupBy, filter }: MrrInput): RollupChoice => ({
  groupBy: groupBy === 'currency' ? null : (groupBy ?? null),
  values: {
    plan: filter?.planIds ?? null,
    interval: filter?.intervals ?? null,
    country: filter?.countries?.map((code) => code.toUpperCase()) ?? null,
    provider: null,
  },
  currencies: filter?.currencies ?? null,
});

/** Returns the group of a row: one of the 50 groups with the most MRR, or `other`. */
function grouping(rows: readonly GroupedRow[], groupBy: SeriesDimension | null): (row: GroupedRow) => string {
  if (groupBy === null) return () => '';
  if (groupBy === 'currency') return ({ currency }) => currency;
  const levels = rows.filter(({ kind }) => kind === 'level');
  const largest = largestGroups(levels.map(({ group, amount }) => ({ key: group, amount })));
  return ({ group }) => (largest.has(group) ? group : otherGroup);
}

async function groupsOf(
  ctx: Context,
  keys: readonly string[],
  groupBy: SeriesDimension,
): Promise<(key: string) => Group> {
  const names = groupBy === 'plan' ? await readPlanNames(ctx.reads, keys) : new Map<string, string>();
  return (key) => ({ key, name: names.get(key) ?? (groupBy === 'currency' ? key.toUpperCase() : key) });
}

/** True if a point has revenue at its start, at its end, or in between. Includes revenue that can't be converted. */
const hasRevenue = ({ opening, closing, movements }: MrrPoint): boolean =>
  opening !== 0n || closing !== 0n || movements.length > 0;

/**
 * Computes series of monthly recurring revenue: one series per currency and group with revenue in the range, or one converted series per
 * group. Reads stored daily or monthly sums, so the cost doesn't depend on the number of customers. Throws `validation_error` if the range
 * is reversed or contains too many points.
 */
export async function computeMrr(ctx: Context, input: MrrInput): Promise<MrrSeries[]> {
  const { from, to, groupBy = null, filter } = input;
  const interval = input.interval ?? 'day';
  const buckets = bucketsOf({ from, to }, interval);
  const choice = choiceOf(input);
  const conversion = await loadConversion(ctx, input, { from: firstDayNeeded(from), to });
  const spans = spansOf({ from, to }, interval, conversion !== null);
  const { stored, pending, isComplete } = await readWithPending(ctx, () =>
    readRollups(ctx.reads, spans, choice),
  );
  const rows = [...stored, ...chooseRollups(pending, spans, choice)];
  const byGroup = Map.groupBy(rows, grouping(rows, groupBy));
  const toGroup = groupBy === null ? null : await groupsOf(ctx, [...byGroup.keys()], groupBy);
  const options = { buckets, now: ctx.clock.now(), conversion, excludeReasons: filter?.excludeReasons ?? [] };
  const currencyOf = ({ currency }: GroupedRow): string => conversion?.currency ?? currency;
  return [...byGroup]
    .flatMap(([group, ofGroup]) =>
      [...Map.groupBy(ofGroup, currencyOf)].map(([currency, own]) => ({ currency, group, own })),
    )
    .sort((a, b) => (`${a.currency} ${a.group}` < `${b.currency} ${b.group}` ? -1 : 1))
    .map(
      ({ currency, group, own }): MrrSeries => ({
        currency,
        isConverted: conversion !== null,
        group: toGroup === null ? null : toGroup(group),
        isComplete,
        points: mrrPoints(own, options),
        missingRates: conversion?.missing ?? [],
      }),
    )
    .filter(({ group, points }) => group === null || points.some(hasRevenue));
}
