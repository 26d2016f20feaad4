import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { DeadlineRow } from '../../domain/subscription/aggregate.ts';
import { decisionTools } from '../../engine/charge.ts';
import { eventsToStore } from '../../engine/events.ts';
import { loadForTimeline, readDuties } from '../../engine/foresee.ts';
import { type TimelineStep, timeline, withoutRemotes } from '../../engine/timeline.ts';
import { inTransaction } from '../../transaction.ts';
import { requireSubscription } from '../subscriptions/find.ts';
import { foreseenSubscription, type Preview, previewOf } from './preview.ts';

/** No deadline lies behind it. */
const endOfTime = new Date('9999-12-31T23:59:59.999Z');

/** More than any subscription has at once. */
const mostDuties = 100;

const renewing: readonly DeadlineRow['kind'][] = ['start', 'trial_end', 'period_end'];

/** The duty that ends a period: of its kinds the one due first, else the end of a window. */
const endOf = (duties: readonly DeadlineRow[]): DeadlineRow | undefined =>
  duties.find(({ kind }) => renewing.includes(kind)) ?? duties.find(({ kind }) => kind === 'window_reset');

async function foresee(tx: Context, subscriptionId: string): Promise<Preview> {
  const now = tx.clock.now();
  const duties = await readDuties(tx, [subscriptionId], endOfTime, mostDuties);
  const end = endOf(duties);
  if (end === undefined) {
    throw new QuittanceError('invalid_subscription_status', 'Nothing of this subscription ends by itself.', { param: 'renewal.id' });
  }
  const due = duties.filter(({ dueAt }) => dueAt <= end.dueAt);
  const options = {
    from: now,
    until: end.dueAt,
    gateways: withoutRemotes(tx.app.gateways),
    tools: decisionTools(tx),
    isWanted: (row: DeadlineRow) => row.subscriptionId === subscriptionId,
  };
  const [before] = await loadForTimeline(tx, due, now);
  if (before === undefined) throw new Error(`The subscription ${subscriptionId} has duties and no customer.`);
  let last: TimelineStep | null = null;
  let ending: TimelineStep | null = null;
  for (const step of timeline([before], options)) {
    last = step;
    if (step.deadline.id !== end.id) continue;
    ending = step;
    break;
  }
  const at = ending?.now ?? end.dueAt;
  const changes = ending?.changes == null ? [] : [ending.changes];
  if (ending?.thrown != null) throw ending.thrown;
  const subscription = foreseenSubscription(last?.aggregate ?? before, subscriptionId, at);
  return previewOf(changes, { at, refusal: ending?.refusal ?? null, events: await eventsToStore(tx, changes), subscription });
}

/**
 * What the next end of a subscription's period, trial or window will do, as things stand: all that falls due before happens first, in memory.
 * Nothing where it has ended by then, or where the end has to wait. Throws `subscription_not_found`, and `invalid_subscription_status` where
 * nothing ends by itself.
 */
export async function previewRenewal(context: Context, subscriptionId: string): Promise<Preview> {
  await requireSubscription(context, subscriptionId);
  return inTransaction(context, (tx) => foresee(tx, subscriptionId));
}
