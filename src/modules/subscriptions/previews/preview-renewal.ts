import { specificError } from '../../../domain/errors/errors.ts';
import type { DeadlineRow } from '../../../domain/subscription/state/aggregate.ts';
import { decisionDeps } from '../../../engine/charge.ts';
import { eventsToStore } from '../../../engine/events.ts';
import { nextCharge } from '../../../engine/preview/next-charge.ts';
import { loadForSimulation, readEnvironmentTasks } from '../../../engine/preview/preview.ts';
import { type SimulationStep, timeline, withoutRemotes } from '../../../engine/simulate.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { type Preview, previewOf, simulatedSubscription } from './preview.ts';

const endOfTime = new Date('9999-12-31T23:59:59.999Z');

/** Upper bound for the number of deadlines of a subscription. */
const mostEnvironmentTasks = 100;

const renewing: readonly DeadlineRow['kind'][] = ['start', 'trial_end', 'period_end'];

/** Returns the earliest deadline that ends a period, trial, or draft, falling back to the end of a usage window. */
const endOf = (environmentTasks: readonly DeadlineRow[]): DeadlineRow | undefined =>
  environmentTasks.find(({ kind }) => renewing.includes(kind)) ??
  environmentTasks.find(({ kind }) => kind === 'window_reset');

async function previewCommands(tx: Context, subscriptionId: string): Promise<Preview> {
  const now = tx.clock.now();
  const environmentTasks = await readEnvironmentTasks(tx, [subscriptionId], endOfTime, mostEnvironmentTasks);
  const end = endOf(environmentTasks);
  if (end === undefined) {
    throw specificError('invalid_subscription_status', 'no_renewal', { param: 'renewal.id' });
  }
  const due = environmentTasks.filter(({ dueAt }) => dueAt <= end.dueAt);
  const options = {
    from: now,
    until: end.dueAt,
    gateways: withoutRemotes(tx.app.gateways),
    deps: decisionDeps(tx),
    isWanted: (row: DeadlineRow) => row.subscriptionId === subscriptionId,
  };
  const [before] = await loadForSimulation(tx, due, now);
  if (before === undefined)
    throw new Error(`The subscription ${subscriptionId} has deadlines and no customer.`);
  let last: SimulationStep | null = null;
  let ending: SimulationStep | null = null;
  for (const step of timeline([before], options)) {
    last = step;
    if (step.deadline.id !== end.id) continue;
    ending = step;
    break;
  }
  const at = ending?.now ?? end.dueAt;
  const changes = ending?.changes == null ? [] : [ending.changes];
  if (ending?.thrown != null) throw ending.thrown;
  const after = last?.aggregate ?? before;
  const subscription = simulatedSubscription(after, subscriptionId, at);
  return previewOf(changes, {
    at,
    rejection: ending?.rejection ?? null,
    events: await eventsToStore(tx, changes),
    subscription,
    next: () => nextCharge(after, subscriptionId, at, options.deps),
    nextWithout: () => null,
  });
}

/**
 * Previews the next end of a subscription's period, trial, or usage window. First simulates all earlier deadlines in
 * memory. The preview is empty if the subscription ends earlier, or if the deadline waits for a pending payment. Throws
 * `subscription_not_found`. Throws `invalid_subscription_status` if no period, trial, or usage window ends
 * automatically.
 */
export async function previewRenewal(ctx: Context, subscriptionId: string): Promise<Preview> {
  await requireSubscription(ctx, subscriptionId);
  return inTransaction(ctx, (tx) => previewCommands(tx, subscriptionId));
}
