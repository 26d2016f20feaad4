import type { Crossing } from '../../domain/limits/crossings.ts';
import type { ReachedWindows, StoredGauges } from '../../domain/limits/limit.ts';
import { acceptedCrossings, rejectedCrossings } from '../../domain/limits/operation-crossings.ts';
import {
  correctedGauges,
  haveGauges,
  isWithinLimit,
  movedGauges,
  type OperationDelta,
  type OperationLimit,
  type OperationNode,
  type TriedOperation,
  triedOperations,
} from '../../domain/limits/operation-limits.ts';
import type { Query } from '../../platform/db/pool.ts';

/** Gauges of a node, and its windows in which crossings are recorded. */
type NodeGauges = { readonly gauges: StoredGauges; readonly reached: ReachedWindows };

const noGauges: NodeGauges = { gauges: {}, reached: {} };

/** Deletes the gauges of an API key, a customer, or a pricing table. */
const deleteGauges = async (sql: Query, nodeId: string): Promise<void> => {
  await sql('DELETE FROM "OperationGauges" WHERE "environmentId" = $1 AND id = $2', [nodeId]);
};

/** Locks the gauges of an API key, a customer, or a pricing table until the transaction ends, and returns them. */
async function lockGauges(sql: Query, nodeId: string): Promise<NodeGauges> {
  const [row] = await sql<NodeGauges>(
    `INSERT INTO "OperationGauges" AS t ("environmentId", id, gauges, reached) VALUES ($1, $2, '{}', '{}')
     ON CONFLICT ("environmentId", id) DO UPDATE SET id = EXCLUDED.id RETURNING t.gauges, t.reached`,
    [nodeId],
  );
  return row ?? noGauges;
}

/** Stores locked gauges. Deletes the row if nothing is counted. */
const storeGauges = async (sql: Query, nodeId: string, { gauges, reached }: NodeGauges): Promise<void> => {
  if (Object.keys(gauges).length === 0 && Object.keys(reached).length === 0) return deleteGauges(sql, nodeId);
  await sql('UPDATE "OperationGauges" SET gauges = $3, reached = $4 WHERE "environmentId" = $1 AND id = $2', [
    nodeId,
    JSON.stringify(gauges),
    JSON.stringify(reached),
  ]);
};

/** Node whose crossings are recorded after the operation, and the crossings that were found. */
export type FoundCrossings = { readonly node: OperationNode; found: readonly Crossing[] };

/**
 * Counts an operation in an open transaction. Returns the limits that reject the operation; the operation is then not counted. Concurrent
 * operations of the same node wait for the end of the transaction. `isAdmitted` can reject an operation that all limits accept.
 * \`crossings\` receives the crossings of stored limits.
 */
export async function takeOperation(
  sql: Query,
  nodeId: string,
  limits: readonly OperationLimit[],
  {
    delta,
    now,
    isAdmitted,
    crossings,
  }: {
    readonly delta: OperationDelta;
    readonly now: Date;
    readonly isAdmitted?: (tried: readonly TriedOperation[]) => Promise<boolean>;
    readonly crossings?: FoundCrossings;
  },
): Promise<TriedOperation[]> {
  const isStored = haveGauges(limits);
  const { gauges, reached: before } = isStored ? await lockGauges(sql, nodeId) : noGauges;
  const tried = triedOperations(limits, gauges, delta, now);
  const rejecting = tried.filter((one) => one.limit.action === 'block' && !isWithinLimit(one));
  if (rejecting.length > 0) return rejecting;
  if (isAdmitted !== undefined && !(await isAdmitted(tried))) return [];
  if (!isStored) return [];
  const found = crossings === undefined ? null : acceptedCrossings(tried, crossings.node, before);
  await storeGauges(sql, nodeId, { gauges: movedGauges(tried, gauges), reached: found?.reached ?? before });
  if (crossings !== undefined && found !== null) crossings.found = found.crossings;
  return [];
}

/**
 * Returns the crossing by an operation that limits rejected and that was rolled back, once per window. Empty if the limits would now accept
 * the operation.
 */
export async function takeRejection(
  sql: Query,
  node: OperationNode,
  limits: readonly OperationLimit[],
  { delta, now }: { readonly delta: OperationDelta; readonly now: Date },
): Promise<readonly Crossing[]> {
  if (!haveGauges(limits) || limits.every(({ row }) => row === undefined)) return [];
  const { gauges, reached: before } = await lockGauges(sql, node.id);
  const rejecting = triedOperations(limits, gauges, delta, now).filter(
    (one) => one.limit.action !== 'notify' && !isWithinLimit(one),
  );
  const { crossings, reached } = rejectedCrossings(rejecting, node, before);
  await storeGauges(sql, node.id, { gauges, reached });
  return crossings;
}

/** Corrects the count of an operation in an open transaction, after its result is known. */
export async function correctOperation(
  sql: Query,
  nodeId: string,
  limits: readonly OperationLimit[],
  correction: {
    readonly delta: OperationDelta;
    readonly countedAt: Date;
    readonly now: Date;
    /** Crossings of the operation that aren't recorded. */
    readonly dropped?: readonly Crossing[];
  },
): Promise<void> {
  if (!haveGauges(limits)) return;
  const { gauges, reached } = await lockGauges(sql, nodeId);
  const corrected = correctedGauges(limits, gauges, correction.delta, correction);
  const dropped = new Set(correction.dropped?.map(({ tried }) => tried.limit.id));
  const remaining = Object.fromEntries(Object.entries(reached).filter(([limitId]) => !dropped.has(limitId)));
  await storeGauges(sql, nodeId, { gauges: corrected, reached: remaining });
}
