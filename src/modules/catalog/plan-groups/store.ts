import type { Query } from '../../../platform/db/pool.ts';

/**
 * Assigns ranks of 0 or more to plans in one group, with two SQL statements for any number of plans. Does nothing for an empty list. The
 * caller must have locked the group's row. Throws if another plan in the group already has one of the ranks.
 */
export async function rankPlans(
  sql: Query,
  ranks: readonly { readonly id: string; readonly sortOrder: number }[],
  now: Date,
): Promise<void> {
  if (ranks.length === 0) return;
  const ids = ranks.map(({ id }) => id);
  // PostgreSQL checks uniqueness row by row, so the new ranks are first written as negative numbers, which no plan uses.
  await sql(
    `UPDATE "Plan" p SET "sortOrder" = -1 - wanted.rank FROM unnest($2::text[], $3::int[]) AS wanted(id, rank)
     WHERE p."environmentId" = $1 AND p.id = wanted.id`,
    [ids, ranks.map(({ sortOrder }) => sortOrder)],
  );
  await sql(
    'UPDATE "Plan" SET "sortOrder" = -1 - "sortOrder", "updatedAt" = $3 WHERE "environmentId" = $1 AND id = ANY($2)',
    [ids, now],
  );
}
