import { hasDimensions } from '../../domain/meters/meter.ts';
import type { UsageCellRow, UsageValueRow } from '../../domain/rows/usage-rows.ts';
import { UsageBook, windowOf } from '../../domain/usage/book.ts';
import { counterId } from '../../domain/usage/counter.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { Query } from '../../platform/db/pool.ts';
import { readCells } from '../load/cells.ts';
import { readConversion } from '../load/fx-rates.ts';
import { readLevels } from '../load/levels.ts';
import { type ReadLevels, withLevels } from './levels.ts';
import type { LoadedUsage } from './load.ts';
import { type HoldReaders, readHolds, withHolds } from './load-holds.ts';
import { countBudgets, type LimitReaders, readLimits, summedFeatures, withLimits } from './load-limits.ts';
import { readShared } from './shared-gauges.ts';
import { type ReadCounters, readCounters, withSourced } from './sourced.ts';
import { type CountedRequest, readValues, withValues } from './values.ts';

// Totals of usage windows by dimension values. Batches read the totals that a snapshot doesn't contain.

type Requested = Pick<UsageRequest, 'customerId' | 'featureCode'>;

/** Window whose totals by dimension values are read. */
type DividedWindow = Pick<UsageCellRow, 'subscriptionId' | 'featureId' | 'windowStart'>;

/** Returns the windows of the requests whose meters have dimensions, and whose totals aren't known. */
function windowsOf(details: LoadedUsage, requests: Iterable<Requested>): DividedWindow[] {
  const book = new UsageBook(details);
  const windows = new Map<string, DividedWindow>();
  for (const { customerId, featureCode } of requests) {
    const subject = book.subjectOf(customerId, featureCode);
    if ('code' in subject || subject.terms.meter === null) continue;
    if (!hasDimensions(subject.terms.meter.document)) continue;
    const { subscription, feature } = subject;
    const counter = counterId(subscription.id, feature.id);
    if (details.cells.has(counter)) continue;
    windows.set(counter, {
      subscriptionId: subscription.id,
      featureId: feature.id,
      windowStart: windowOf(subscription),
    });
  }
  return [...windows.values()];
}

/**
 * Returns the usage data with the totals by dimension values that the requests change. Reads nothing if all totals are known,
 * or if no feature of the requests has a meter with dimensions.
 */
async function withCells(
  details: LoadedUsage,
  requests: Iterable<Requested>,
  read: (windows: readonly DividedWindow[]) => Promise<readonly UsageCellRow[]>,
): Promise<LoadedUsage> {
  if (!details.features.values().some(({ meters }) => meters.some(hasDimensions))) return details;
  const windows = windowsOf(details, requests);
  if (windows.length === 0) return details;
  const cells = Map.groupBy(await read(windows), (row) => counterId(row.subscriptionId, row.featureId));
  return { ...details, cells: new Map([...details.cells, ...cells]) };
}

/** Reads holds, the limits of customers, and the counted values and the totals by dimension values of windows. */
export type PartReaders = HoldReaders &
  LimitReaders & {
    readonly readValues: (ids: readonly string[]) => Promise<readonly UsageValueRow[]>;
    readonly readCells: (windows: readonly DividedWindow[]) => Promise<readonly UsageCellRow[]>;
    readonly readCounters: ReadCounters;
    readonly readLevels: ReadLevels;
  };

/** Request with the properties that meters count, and its budget. */
type PartRequest = CountedRequest & Pick<UsageRequest, 'budget' | 'heldPath' | 'hold'>;

/** Returns the usage data with the holds, the limits, the counted values, and the totals by dimension values of the requests. */
export async function withParts(
  loaded: LoadedUsage,
  named: readonly PartRequest[],
  {
    readValues: values,
    readCells: cells,
    readCounters: counters,
    readLevels: levels,
    ...readers
  }: PartReaders,
  needsCounters = false,
): Promise<LoadedUsage> {
  const { details: counting, requests } = await withSourced(loaded, named, counters);
  const leveled = await withLevels(counting, requests, levels);
  const held = await withHolds(leveled, named, readers);
  const details = await withLimits(held, named, readers, needsCounters);
  const divided = [...requests, ...summedFeatures(details)];
  return withCells(await withValues(details, requests, values), divided, cells);
}

/**
 * Returns the usage data with the stored limits, values, and totals of the requests. `needsCounters`: adds all counters of the
 * subscriptions if the environment has limits. `shared` reads the gauges that customers share.
 */
export const withStoredParts = (
  sql: Query,
  details: LoadedUsage,
  requests: readonly PartRequest[],
  needsCounters = false,
  shared = readShared,
): Promise<LoadedUsage> =>
  withParts(
    details,
    requests,
    {
      readLimits: (needs) => readLimits(sql, needs),
      countBudgets: (customerIds) => countBudgets(sql, customerIds),
      readRates: (currencies, period) => readConversion(sql, currencies, period),
      readShared: (needs) => shared(sql, needs),
      readValues: (ids) => readValues(sql, ids),
      readCells: (windows) => readCells(sql, windows),
      readCounters: (names) => readCounters(sql, names),
      readLevels: (names) => readLevels(sql, names),
      readHolds: (references) => readHolds(sql, references),
      lockHolds: null,
    },
    needsCounters,
  );
