import type { EventDraft } from '../../domain/events/event-draft.ts';
import { commandOf } from '../../domain/subscription/decision/deadline-command.ts';
import type { Aggregate, DeadlineRow } from '../../domain/subscription/state/aggregate.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Context } from '../../request/context.ts';
import { loadCaughtUp } from '../catch-up.ts';
import { decideAndCharge, decisionDeps, type Settled } from '../charge.ts';
import { type CustomerCommand, commandAt } from '../commit.ts';
import { eventsToStore } from '../events.ts';
import { loadAggregates } from '../load/load.ts';
import { withoutRemotes } from '../simulate.ts';

/**
 * Decision that isn't written, with the billing state before it and the events that would be emitted if the
 * decision were written.
 */
export type Simulated = {
  readonly before: Aggregate;
  readonly settled: Settled;
  readonly events: readonly EventDraft[];
};

/**
 * Computes the decision on a command in an open transaction without writing the decision. Assumes that remote charges
 * succeed. `null` if the customer doesn't exist.
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
 * Returns up to `limit` deadlines in any state that are due by `until`, in execution order. `subscriptionIds`
 * restricts the result to the given subscriptions. Omits deadlines without a subscription, because they don't
 * issue invoices.
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

/**
 * Loads the customers' billing state for simulating deadlines, in an open transaction and in order of `seq`.
 */
export async function loadForSimulation(
  tx: Context,
  deadlines: readonly DeadlineRow[],
  now: Date,
): Promise<Aggregate[]> {
  const addressed = deadlines.map((row) => ({ customerId: row.customerId, command: commandOf(row, now) }));
  return addressed.length === 0 ? [] : [...(await loadAggregates(tx, addressed)).values()];
}
