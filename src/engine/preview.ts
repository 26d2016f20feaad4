import type { Context } from '../context.ts';
import { commandOf } from '../domain/subscription/decision/deadline-command.ts';
import type { Aggregate, DeadlineRow, EventDraft } from '../domain/subscription/state/aggregate.ts';
import { columnList } from '../platform/db/bulk.ts';
import { loadCaughtUp } from './catch-up.ts';
import { decideAndCharge, decisionDeps, type Settled } from './charge.ts';
import { type CustomerCommand, commandAt } from './commit.ts';
import { eventsToStore } from './events.ts';
import { loadAggregates } from './load.ts';
import { withoutRemotes } from './simulate.ts';

/** A decision that was not applied, the billing state it was made on, and the events that would be stored. */
export type Simulated = {
  readonly before: Aggregate;
  readonly settled: Settled;
  readonly events: readonly EventDraft[];
};

/**
 * Decides a command in an open transaction as executing it now would, and writes nothing. Remote gateways are taken to settle. Null when there
 * is no such customer.
 */
export async function previewCommand(
  tx: Context,
  { customerId, input }: CustomerCommand,
): Promise<Simulated | null> {
  const now = tx.clock.now();
  const command = commandAt(input, now);
  const deps = decisionDeps(tx);
  const before = await loadCaughtUp(tx, customerId, [{ customerId, command }], now, deps);
  if (before === null) return null;
  const settled = decideAndCharge(withoutRemotes(tx.app.gateways), before, command, deps);
  return { before, settled, events: await eventsToStore(tx, [settled.changes]) };
}

/**
 * The deadlines due until an instant in whatever state, in their order and at most `limit`: of the subscriptions named, or of all where null.
 * Deadlines of customers themselves, which issue nothing, are left out.
 */
export const readEnvironmentTasks = (
  ctx: Context,
  subscriptionIds: readonly string[] | null,
  until: Date,
  limit: number,
): Promise<DeadlineRow[]> =>
  ctx.sql<DeadlineRow>(
    `SELECT ${columnList('Deadline', 't')} FROM "Deadline" t
     WHERE t."environmentId" = $1 AND t."dueAt" <= $2 AND t."subscriptionId" IS NOT NULL AND ($3::text[] IS NULL OR t."subscriptionId" = ANY($3))
     ORDER BY t."dueAt", t.rank, t."subjectSeq", t.id LIMIT $4`,
    [until, subscriptionIds, limit],
  );

/** Reads, in an open transaction, the billing state that executing the deadlines and all that follows from them can need, in order of seq. */
export async function loadForSimulation(
  tx: Context,
  deadlines: readonly DeadlineRow[],
  now: Date,
): Promise<Aggregate[]> {
  const addressed = deadlines.map((row) => ({ customerId: row.customerId, command: commandOf(row, now) }));
  return addressed.length === 0 ? [] : [...(await loadAggregates(tx, addressed)).values()];
}
