import { specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { defaultCancelReason, endsWithPeriod, isOneTimePurchase } from '../lifecycle/cancel.ts';
import { endImmediately } from '../lifecycle/end-subscription.ts';
import { scheduleCancellation } from '../lifecycle/schedule-cancellation.ts';
import { isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly reason: string | null;
  readonly immediate: boolean;
};

/**
 * Cancels an active recurring subscription at the end of the period, and a trial at the end of the trial, or
 * immediately if `immediate` is true. Cancels all other subscriptions immediately. Active one-time purchases can't be
 * canceled (SUB-23, SUB-24, SUB-26, SUB-27).
 */
export const subscriptionCancel = subscriptionCommand({
  kind: 'subscription.cancel',
  decide(draft: Draft, subscription: SubscriptionRow, command: Input): Decision {
    const rejection = statusRejection('cancel', subscription);
    if (rejection !== null) return draft.reject(rejection);
    if (isOneTimePurchase(subscription)) {
      return draft.reject(specificRejection('one_time_subscription_not_cancelable', 'purchase'));
    }
    const canBeScheduled = endsWithPeriod(subscription);
    if (canBeScheduled && !command.immediate && subscription.cancelAtPeriodEnd) {
      return draft.reject(specificRejection('already_scheduled', 'cancellation'));
    }
    if (isCharging(draft, subscription)) return draft.reject(chargeInProgress);
    const reason = command.reason ?? defaultCancelReason;
    if (canBeScheduled && !command.immediate) {
      scheduleCancellation(draft, subscription, reason);
      return draft.done('done', subscription.id);
    }
    endImmediately(draft, subscription, reason);
    return draft.done('done', subscription.id);
  },
});
