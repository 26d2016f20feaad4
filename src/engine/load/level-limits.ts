import type { LimitRow, RaiseRow } from '../../domain/limits/limit.ts';
import { type LevelLimits, noLevelLimits } from '../../domain/usage/level-limits.ts';
import { columnList } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Share } from '../share.ts';
import type { LoadBatch } from './batch.ts';

/**
 * Loads the limits on the numbers of seats and quota units that commands change, with their raises. Executes no SQL statement if no command
 * changes such numbers.
 */
export async function loadLevelLimits({ ctx, named, customerIds }: LoadBatch): Promise<LevelLimits> {
  const { levels } = named;
  if (levels.length === 0) return noLevelLimits;
  const limits = await ctx.sql<LimitRow>(
    `SELECT ${columnList('Limit', 't')} FROM "Limit" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND t.measure = 'level'
       AND (t."customerId" IS NULL OR t."customerId" = ANY($2::text[])) AND t.filter->'features' ?| $3::text[] ORDER BY t.seq`,
    [textArray(customerIds), textArray(levels)],
  );
  if (limits.length === 0) return noLevelLimits;
  const raises = await ctx.sql<RaiseRow>(
    `SELECT ${columnList('LimitRaise', 't')} FROM "LimitRaise" t WHERE t."environmentId" = $1 AND t."nodeId" = ANY($2::text[])
       AND t."limitId" = ANY($3::text[]) AND t.until > $4 ORDER BY t.seq`,
    [textArray(customerIds), textArray(limits.map(({ id }) => id)), ctx.clock.now()],
  );
  return { limits, raises };
}

/** Selects the limits that can apply to a customer. */
export const shareLevelLimits =
  ({ limits, raises }: LevelLimits): Share<LevelLimits> =>
  ({ customer: { id } }) => ({
    limits: limits.filter(({ customerId }) => customerId === null || customerId === id),
    raises: raises.filter(({ nodeId }) => nodeId === id),
  });
