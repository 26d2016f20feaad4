import type { Query } from '../../platform/db/pool.ts';

/**
 * Deletes the gauges and the limits of a deleted API key or a removed member in an environment, so that the limits no longer count toward the
 * maximum of the environment. Their crossings remain. Keeps a limit if the amount of another limit is a share of its amount.
 */
export async function endLimits(
  query: Query,
  environmentId: string,
  callerId: string,
  now: Date,
): Promise<void> {
  await query('DELETE FROM "OperationGauges" WHERE "environmentId" = $1 AND id = $2', [
    environmentId,
    callerId,
  ]);
  await query(
    `UPDATE "Limit" t SET "deletedAt" = $3, "updatedAt" = $3
     WHERE t."environmentId" = $1 AND (t."apiKeyId" = $2 OR t."memberId" = $2) AND t."deletedAt" IS NULL AND NOT EXISTS (
       SELECT FROM "Limit" o WHERE o."environmentId" = $1 AND o."deletedAt" IS NULL AND o.share->>'of' = t.id)`,
    [environmentId, callerId, now],
  );
}
