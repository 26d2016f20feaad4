import { holdsLevel } from '../../domain/meters/meter.ts';
import type { CustomerLevelRow } from '../../domain/rows/level-row.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { LoadBatch } from './batch.ts';

// Levels of features, which last across the subscriptions of a customer (PRM-14).

/** Customers and features whose latest levels are read. */
export type LevelNames = { readonly customerIds: readonly string[]; readonly featureIds: readonly string[] };

/** Reads the level of each customer and feature in the customer's latest subscription with a level. */
export const readLevels = (
  sql: Query,
  { customerIds, featureIds }: LevelNames,
): Promise<CustomerLevelRow[]> =>
  sql<CustomerLevelRow>(
    `SELECT DISTINCT ON (t."customerId", t."featureId") t."customerId", t."featureId", t.level
     FROM unnest($3::text[]) AS f(id) CROSS JOIN (SELECT id FROM "Subscription" WHERE "environmentId" = $1 AND "customerId" = ANY($2::text[])) s
       CROSS JOIN LATERAL (SELECT * FROM "UsageCounter" WHERE "environmentId" = $1 AND id = s.id || ':' || f.id AND level IS NOT NULL OFFSET 0) t
     ORDER BY t."customerId", t."featureId", t.seq DESC`,
    [textArray(customerIds), textArray(featureIds)],
  );

/** Loads the levels that the customers hold. Executes no SQL statement if no feature holds a level, or if no command reads the totals of usage. */
export async function loadLevels(batch: LoadBatch): Promise<CustomerLevelRow[]> {
  if (!batch.readsUsage) return [];
  const { features } = await batch.get('catalog');
  const featureIds = [...features.values()]
    .filter(({ meters }) => meters.some(holdsLevel))
    .map(({ id }) => id);
  return featureIds.length === 0
    ? []
    : readLevels(batch.ctx.sql, { customerIds: batch.customerIds, featureIds });
}
