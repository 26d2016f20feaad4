import { hasDimensions } from '../../domain/meters/meter.ts';
import type { UsageCellRow, UsageValueRow } from '../../domain/rows/usage-rows.ts';
import { UsageBook, windowOf } from '../../domain/usage/book.ts';
import { counterId } from '../../domain/usage/counter.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { Query } from '../../platform/db/pool.ts';
import { readCells } from '../load/cells.ts';
import type { LoadedUsage } from './load.ts';
import { type CountedRequest, readValues, withValues } from './values.ts';

// Totals of usage windows by dimension values. Batches read the totals that a snapshot doesn't contain.

type Requested = Pick<UsageRequest, 'customerId' | 'featureCode'>;

/** Window whose totals by dimension values are read. */
export type DividedWindow = Pick<UsageCellRow, 'subscriptionId' | 'featureId' | 'windowStart'>;

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

/** Reads the counted values and the totals by dimension values of windows. */
export type PartReaders = {
  readonly readValues: (ids: readonly string[]) => Promise<readonly UsageValueRow[]>;
  readonly readCells: (windows: readonly DividedWindow[]) => Promise<readonly UsageCellRow[]>;
};

/** Returns the usage data with the counted values and the totals by dimension values of the requests. */
export const withParts = async (
  details: LoadedUsage,
  requests: readonly CountedRequest[],
  { readValues: values, readCells: cells }: PartReaders,
): Promise<LoadedUsage> => withCells(await withValues(details, requests, values), requests, cells);

/** Returns the usage data with the stored values and totals of the requests. */
export const withStoredParts = (
  sql: Query,
  details: LoadedUsage,
  requests: readonly CountedRequest[],
): Promise<LoadedUsage> =>
  withParts(details, requests, {
    readValues: (ids) => readValues(sql, ids),
    readCells: (windows) => readCells(sql, windows),
  });
