// Follows decisions of a customer with automatic top-ups: movements trigger them, a new payment method resumes them, and
// the end of the subscription turns them off.

import type { SubscriptionRow } from '../../rows/rows.ts';
import type { AutoTopUpRow } from '../../rows/topup-rows.ts';
import { secondMs } from '../../time/period.ts';
import { isLow } from '../../topups/decide.ts';
import { pauseEndsAt } from '../../topups/month.ts';
import { isCharging, purchaseMethod } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import {
  attemptsOf,
  availableIn,
  emitTopUp,
  hasAsset,
  idle,
  isOffSession,
  isProcessing,
  isWaiting,
  noteSkip,
  scheduleTopUp,
  topUpPool,
  unscheduleTopUp,
  writeMark,
} from './topup-state.ts';

/**
 * Triggers a top-up whose account is low: schedules an evaluation for now, or for the end of the minimum pause after a
 * purchase. Two evaluations are at least a second apart, so that a purchase is never evaluated at its own time. An evaluation
 * after now is recorded as `min_pause`.
 */
export function triggerTopUp(draft: Draft, subscription: SubscriptionRow, setting: AutoTopUpRow): void {
  if (setting.status !== 'on' || isProcessing(draft, setting)) return;
  if (!isLow(setting, availableIn(draft, subscription, topUpPool(setting)))) return;
  const attempts = attemptsOf(draft, setting);
  const freeAt = pauseEndsAt(attempts, setting);
  const isPausing = freeAt !== null && freeAt > draft.now;
  const isJustBought = pauseEndsAt(attempts, { minPause: 0 })?.getTime() === draft.now.getTime();
  const soon = isJustBought ? new Date(draft.now.getTime() + secondMs) : draft.now;
  const nextAt = isPausing ? freeAt : soon;
  if (nextAt > draft.now) noteSkip(draft, subscription, setting, { reason: 'min_pause', nextAt });
  scheduleTopUp(draft, subscription, setting, nextAt);
}

/** Turns a top-up off, because its subscription or account ended. */
function turnOff(draft: Draft, setting: AutoTopUpRow, isCanceled: boolean): void {
  for (const { id, status } of attemptsOf(draft, setting))
    if (isCanceled && status === 'processing')
      draft.topUpAttempts.patch(id, {
        status: 'failed',
        reason: 'subscription_status',
        updatedAt: draft.now,
      });
  unscheduleTopUp(draft, setting);
  draft.topUps.patch(setting.id, {
    ...idle,
    status: 'off',
    updatedAt: draft.now,
  });
}

/** Turns a paused top-up on again, or ends the wait after a decline, and triggers it. Emits `auto_topup.resumed` if it was paused. */
export function resumeTopUp(draft: Draft, subscription: SubscriptionRow, setting: AutoTopUpRow): void {
  const resumed = draft.topUps.patch(setting.id, {
    ...idle,
    status: 'on',
    updatedAt: draft.now,
  });
  unscheduleTopUp(draft, setting);
  if (setting.status === 'paused') emitTopUp(draft, subscription, resumed, 'auto_topup.resumed');
  triggerTopUp(draft, subscription, resumed);
}

/** Returns true if a decision changed a state that kept a top-up from buying. */
function isUnblocked(draft: Draft, subscription: SubscriptionRow, { reason }: AutoTopUpRow): boolean {
  const before = draft.subscriptions.provided.find(({ id }) => id === subscription.id) ?? subscription;
  if (reason === 'subscription_status') return before.status !== subscription.status;
  if (reason === 'no_payment_method') return purchaseMethod(draft, subscription) !== null;
  if (reason === 'not_off_session') return isOffSession(purchaseMethod(draft, subscription));
  if (reason === 'charge_in_progress')
    return draft.transactions.changes.size > 0 && !isCharging(draft, subscription);
  return false;
}

/** Returns true if a decision changed the payment method that purchases charge. */
function hasNewMethod(draft: Draft, subscription: SubscriptionRow): boolean {
  if (draft.subscriptions.changes.size + draft.paymentMethods.changes.size === 0) return false;
  const method = purchaseMethod(draft, subscription);
  if (method === null) return false;
  const before = draft.subscriptions.provided.find(({ id }) => id === subscription.id) ?? subscription;
  return method.id !== methodBefore(draft, before);
}

/** Returns the ID of the payment method that purchases charged before the decision. */
function methodBefore(draft: Draft, { paymentMethodId }: SubscriptionRow): string | null {
  const stored = draft.paymentMethods.provided.filter(({ removedAt }) => removedAt === null);
  return (stored.find(({ id }) => id === paymentMethodId) ?? stored.at(-1))?.id ?? null;
}

const resumable: readonly AutoTopUpRow['reason'][] = ['declined', 'action_required'];

/** Returns true if a decision can have changed the top-up. */
function followOne(draft: Draft, setting: AutoTopUpRow): boolean {
  const subscription = draft.subscriptions.find(setting.subscriptionId);
  if (subscription === null || setting.status === 'off') return false;
  const isCanceled = subscription.status === 'canceled';
  const isMoved = draft.accounts.changes.has(subscription.id) && !isWaiting(draft, setting);
  if (isCanceled || !hasAsset(draft, subscription, setting.asset)) turnOff(draft, setting, isCanceled);
  else if (resumable.includes(setting.reason) && hasNewMethod(draft, subscription))
    resumeTopUp(draft, subscription, setting);
  else if (isMoved || isUnblocked(draft, subscription, setting)) triggerTopUp(draft, subscription, setting);
  else return false;
  return true;
}

/** Adds the effects of a decision on the customer's automatic top-ups. Does nothing for customers without a top-up. */
export function followTopUps(draft: Draft, decision: Decision): Decision {
  const settings = draft.topUps.all();
  if (settings.length === 0 || decision.outcome.kind === 'park') return decision;
  const followed = settings.map((setting) => followOne(draft, setting));
  const marked = draft.topUps.all().map((setting) => writeMark(draft, setting));
  return [...followed, ...marked].includes(true) ? draft.finish(decision.outcome) : decision;
}
