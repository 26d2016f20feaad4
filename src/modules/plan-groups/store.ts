import type { Query } from '../../platform/db/pool.ts';

/**
 * Gives plans of one group new ranks from 0 on, in two statements whatever their number; writes nothing for an empty list.
 * The caller holds the group's row locked, and no other plan of the group has one of the ranks. Throws on a rank that is taken.
 */
export async function rankPlans(
  sql: Query,
  ranks: readonly { readonly id: string; readonly sortOrder: number }[],
  now: Date,
): Promise<void> {
  if (ranks.length === 0) return;
  const ids = ranks.map(({ id }) => id);
  // Uniqueness is checked row by row: the new ranks wait as negative numbers, which no plan has, until the old ones are gone.
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
