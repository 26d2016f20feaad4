import { holdsLevel } from '../../domain/meters/meter.ts';
import { counterId } from '../../domain/usage/counter.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { LoadedUsage } from './load.ts';

// Levels of features, which last across the subscriptions of a customer (PRM-14).

/** Customers and features whose latest levels are read. */
type LevelNames = { readonly customerIds: readonly string[]; readonly featureIds: readonly string[] };

type LevelRow = { readonly customerId: string; readonly featureId: string; readonly level: bigint };

export type ReadLevels = (names: LevelNames) => Promise<readonly LevelRow[]>;

/** Reads the level of each customer and feature in the customer's latest subscription with a level. */
export const readLevels = (sql: Query, { customerIds, featureIds }: LevelNames): Promise<LevelRow[]> =>
  sql<LevelRow>(
    `SELECT DISTINCT ON (t."customerId", t."featureId") t."customerId", t."featureId", t.level
     FROM unnest($3::text[]) AS f(id) CROSS JOIN (SELECT id FROM "Subscription" WHERE "environmentId" = $1 AND "customerId" = ANY($2::text[])) s
       CROSS JOIN LATERAL (SELECT * FROM "UsageCounter" WHERE "environmentId" = $1 AND id = s.id || ':' || f.id AND level IS NOT NULL OFFSET 0) t
     ORDER BY t."customerId", t."featureId", t.seq DESC`,
    [textArray(customerIds), textArray(featureIds)],
  );

/**
 * Returns the usage data with the levels of earlier subscriptions. Reads nothing if no feature of the requests holds a level, or if the current
 * subscriptions have all levels.
 */
export async function withLevels(
  details: LoadedUsage,
  requests: readonly Pick<UsageRequest, 'customerId' | 'featureCode'>[],
  read: ReadLevels,
): Promise<LoadedUsage> {
  const { features, customers, subscriptions, counters } = details;
  const missing = requests.flatMap(({ customerId: reference, featureCode }) => {
    const feature = features.get(featureCode);
    const customerId = customers.get(reference)?.id ?? '';
    const subscription = subscriptions.get(customerId);
    if (feature === undefined || subscription === undefined || !feature.meters.some(holdsLevel)) return [];
    const level = counters.get(counterId(subscription.id, feature.id))?.level ?? null;
    return level === null ? [{ customerId, featureId: feature.id }] : [];
  });
  if (missing.length === 0) return details;
  const rows = await read({
    customerIds: [...new Set(missing.map(({ customerId }) => customerId))],
    featureIds: [...new Set(missing.map(({ featureId }) => featureId))],
  });
  return {
    ...details,
    levels: new Map(rows.map(({ customerId, featureId, level }) => [`${customerId}:${featureId}`, level])),
  };
}
