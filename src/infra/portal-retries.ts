import type { Query } from './db.ts';

/**
 * Counts a try of a customer to pay on a date, in one statement; false, and nothing counted, when there were `limit` on that date already.
 * Only the latest date is remembered.
 */
export async function takeRetry(sql: Query, customerId: string, date: Date, limit: number): Promise<boolean> {
  const counted = await sql(
    `INSERT INTO "PortalRetryCount" AS t ("environmentId", id, "onDate", count) VALUES ($1, $2, $3, 1)
     ON CONFLICT ("environmentId", id) DO UPDATE SET "onDate" = $3, count = CASE WHEN t."onDate" = $3 THEN t.count + 1 ELSE 1 END
     WHERE t."onDate" <> $3 OR t.count < $4 RETURNING t.count`,
    [customerId, date, limit],
  );
  return counted.length > 0;
}

/** Takes a counted try back, where nothing was tried after all; nothing is left of the only one. */
export async function returnRetry(sql: Query, customerId: string, date: Date): Promise<void> {
  await sql(
    `WITH gone AS (DELETE FROM "PortalRetryCount" t WHERE t."environmentId" = $1 AND t.id = $2 AND t."onDate" = $3 AND t.count = 1)
     UPDATE "PortalRetryCount" t SET count = t.count - 1 WHERE t."environmentId" = $1 AND t.id = $2 AND t."onDate" = $3 AND t.count > 1`,
    [customerId, date],
  );
}
