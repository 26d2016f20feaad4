import type { StoredGauges } from '../../domain/limits/limit.ts';
import {
  correctedGauges,
  haveGauges,
  isWithinLimit,
  movedGauges,
  type OperationDelta,
  type OperationLimit,
  type TriedOperation,
  triedOperations,
} from '../../domain/limits/operation-limits.ts';
import type { Query } from '../../platform/db/pool.ts';

/** Deletes the gauges of an API key, a customer, or a pricing table. */
export const deleteGauges = async (sql: Query, nodeId: string): Promise<void> => {
  await sql('DELETE FROM "OperationGauges" WHERE "environmentId" = $1 AND id = $2', [nodeId]);
};

/** Locks the gauges of an API key, a customer, or a pricing table until the transaction ends, and returns them. */
async function lockGauges(sql: Query, nodeId: string): Promise<StoredGauges> {
  const [row] = await sql<{ gauges: StoredGauges }>(
    `INSERT INTO "OperationGauges" AS t ("environmentId", id, gauges) VALUES ($1, $2, '{}')
     ON CONFLICT ("environmentId", id) DO UPDATE SET id = EXCLUDED.id RETURNING t.gauges`,
    [nodeId],
  );
  return row?.gauges ?? {};
}

/** Stores locked gauges. Deletes the row if nothing is counted. */
const storeGauges = async (sql: Query, nodeId: string, gauges: StoredGauges): Promise<void> => {
  if (Object.keys(gauges).length === 0) return deleteGauges(sql, nodeId);
  await sql('UPDATE "OperationGauges" SET gauges = $3 WHERE "environmentId" = $1 AND id = $2', [
    nodeId,
    JSON.stringify(gauges),
  ]);
};

/**
 * Counts an operation in an open transaction. Returns the limits that reject the operation; the operation is then not counted. Concurrent
 * operations of the same node wait for the end of the transaction. `isAdmitted` can reject an operation that all limits accept.
 */
export async function takeOperation(
  sql: Query,
  nodeId: string,
  limits: readonly OperationLimit[],
  {
    delta,
    now,
    isAdmitted,
  }: {
    readonly delta: OperationDelta;
    readonly now: Date;
    readonly isAdmitted?: (tried: readonly TriedOperation[]) => Promise<boolean>;
  },
): Promise<TriedOperation[]> {
  const isStored = haveGauges(limits);
  const gauges = isStored ? await lockGauges(sql, nodeId) : {};
  const tried = triedOperations(limits, gauges, delta, now);
  const rejecting = tried.filter((one) => one.limit.action === 'block' && !isWithinLimit(one));
  if (rejecting.length > 0) return rejecting;
  if (isAdmitted !== undefined && !(await isAdmitted(tried))) return [];
  if (isStored) await storeGauges(sql, nodeId, movedGauges(tried, gauges));
  return [];
}

/** Corrects the count of an operation in an open transaction, after its result is known. */
export async function correctOperation(
  sql: Query,
  nodeId: string,
  limits: readonly OperationLimit[],
  correction: { readonly delta: OperationDelta; readonly countedAt: Date; readonly now: Date },
): Promise<void> {
  if (!haveGauges(limits)) return;
  const gauges = await lockGauges(sql, nodeId);
  await storeGauges(sql, nodeId, correctedGauges(limits, gauges, correction.delta, correction));
}
