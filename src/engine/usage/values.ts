import { storesValues } from '../../domain/meters/meter.ts';
import type { UsageValueRow } from '../../domain/rows/usage-rows.ts';
import { UsageBook } from '../../domain/usage/book.ts';
import { valueId } from '../../domain/usage/counter.ts';
import { measuredValue } from '../../domain/usage/measured-value.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import { columnList } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { LoadedUsage } from './load.ts';

// Values of properties that meters count (`unique`). Each value is stored as a hash with the number of its events.

/** Request with the properties that can contain a value. */
export type CountedRequest = Pick<UsageRequest, 'customerId' | 'featureCode' | 'properties'>;

/** Returns the IDs of the values that the requests would count. */
function valueIdsOf(details: LoadedUsage, requests: Iterable<CountedRequest>): string[] {
  const book = new UsageBook(details);
  const ids = new Set<string>();
  for (const request of requests) {
    const subject = book.subjectOf(request.customerId, request.featureCode);
    if ('code' in subject) continue;
    const value = measuredValue(subject.terms, request.properties);
    if (value !== null) ids.add(valueId(subject.subscription.id, subject.feature.id, details.hash(value)));
  }
  return [...ids];
}

/** Reads values by ID. The accounts of their subscriptions must be locked for recording. */
export const readValues = (sql: Query, ids: readonly string[]): Promise<UsageValueRow[]> =>
  sql<UsageValueRow>(
    `SELECT ${columnList('UsageValue', 't')} FROM unnest($2::text[]) AS named(id) CROSS JOIN LATERAL (
       SELECT * FROM "UsageValue" WHERE "environmentId" = $1 AND id = named.id OFFSET 0) t`,
    [textArray(ids)],
  );

/**
 * Returns the usage data with the values that the requests would count. Reads nothing if no feature of the requests
 * counts values.
 */
export async function withValues(
  details: LoadedUsage,
  requests: Iterable<CountedRequest>,
  read: (ids: readonly string[]) => Promise<readonly UsageValueRow[]>,
): Promise<LoadedUsage> {
  if (!details.features.values().some(({ meters }) => meters.some(storesValues))) return details;
  const ids = valueIdsOf(details, requests);
  if (ids.length === 0) return details;
  const rows = await read(ids);
  return { ...details, values: new Map(rows.map((row) => [row.id, row])) };
}
