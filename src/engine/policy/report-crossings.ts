import { shownCustomerId } from '../../domain/events/event-data.ts';
import { type Crossing, crossingRow } from '../../domain/limits/crossings.ts';
import { sharedCrossingEvents } from '../../domain/limits/events.ts';
import type { OperationDelta, OperationLimit, OperationNode } from '../../domain/limits/operation-limits.ts';
import { takeNumbers } from '../../outbox/write.ts';
import { inserting } from '../../platform/db/bulk.ts';
import { newId } from '../../platform/ids.ts';
import type { Context, TransactionContext } from '../../request/context.ts';
import { inTransaction, recordEvents } from '../../request/transaction.ts';
import { takeRejection } from './gauges.ts';

// Crossings of stored limits on operations: rows of the history, and events.

/** Stores crossings of a node with their events. Locks the environment's counter, so that it runs after the operation. */
export async function recordCrossings(
  tx: TransactionContext,
  node: OperationNode,
  crossings: readonly Crossing[],
): Promise<void> {
  if (crossings.length === 0) return;
  const now = tx.clock.now();
  const { length } = crossings;
  const { query } = tx.transaction;
  const { seq, position } = await takeNumbers(query, tx.environment.id, { seq: length, positions: length });
  const rows = crossings.map((crossing, index) => ({
    ...crossingRow(crossing, now, newId),
    seq: seq + BigInt(index),
  }));
  await inserting('LimitCrossing', rows).run(tx.sql);
  const customer =
    node.kind === 'customer' ? await tx.db.customer.findFirst({ where: { id: node.id } }) : null;
  const shown = customer === null ? null : shownCustomerId(customer);
  const events = sharedCrossingEvents(crossings, shown).map((event) => ({
    ...event,
    customerId: customer?.id ?? null,
    occurredAt: now,
  }));
  await recordEvents(tx, events, position);
}

/** Operation that limits rejected. `now` is in the time of the limits' windows. */
export type RejectedOperation = {
  readonly node: OperationNode;
  readonly limits: readonly OperationLimit[];
  readonly delta: OperationDelta;
  readonly now: Date;
};

/** Rejected operations by the error with which they failed. */
const rejected = new WeakMap<object, RejectedOperation>();

/** Remembers the operation that failed with an error, so that the crossing is recorded after the rollback of the operation. */
export function withRejection<E extends object>(error: E, operation: RejectedOperation): E {
  rejected.set(error, operation);
  return error;
}

/** Records the crossing of an operation that limits rejected, in a new transaction. Does nothing for other errors. */
export async function keepRejection(ctx: Context, error: unknown): Promise<void> {
  const operation = typeof error === 'object' && error !== null ? rejected.get(error) : undefined;
  if (operation === undefined) return;
  const { node, limits, delta, now } = operation;
  await inTransaction(
    ctx,
    async (tx) => recordCrossings(tx, node, await takeRejection(tx.sql, node, limits, { delta, now })),
    { clockLock: 'none' },
  );
}
