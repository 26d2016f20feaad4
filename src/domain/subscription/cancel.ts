import { cancellationRevoked, cancellationScheduled, stateChanged, subscriptionUpdated } from '../subscription-events.ts';
import type { CancelCommand, Decision } from './aggregate.ts';
import { endSubscription } from './ending.ts';
import { isCharging } from './lookup.ts';
import { restoreUpcoming } from './notices.ts';
import { boundOf } from './periods.ts';
import { chargeInProgress, statusRefusal } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import { revokeScheduled } from './scheduled-change.ts';
import type { Work } from './work.ts';

/** The reason kept when the caller gives none (SUB-28a). */
export const defaultCancelReason = 'requested';

type Cancelable = Pick<SubscriptionRow, 'status' | 'billingInterval'>;

/** Whether a cancellation waits for the end of the period or trial unless asked for at once: paid, recurring and in force (SUB-23). */
export const endsWithPeriod = ({ status, billingInterval }: Cancelable): boolean =>
  status === 'trialing' || (status === 'active' && billingInterval !== null);

/** Whether it was bought once for good, which nobody cancels (SUB-26). */
export const isBoughtOnce = ({ status, billingInterval }: Cancelable): boolean => status === 'active' && billingInterval === 'one_time';

/** Cancels a subscription, at the end of its period if it is paid, recurring and in force, else at once (SUB-23, SUB-24, SUB-26, SUB-27). */
export function cancel(work: Work, subscription: SubscriptionRow, command: CancelCommand): Decision {
  const refusal = statusRefusal('cancel', subscription);
  if (refusal !== null) return work.refuse(refusal);
  if (isBoughtOnce(subscription)) {
    return work.refuse({ code: 'one_time_subscription_not_cancelable', message: 'A purchase made once cannot be canceled.' });
  }
  const canBeScheduled = endsWithPeriod(subscription);
  if (canBeScheduled && !command.immediate && subscription.cancelAtPeriodEnd) {
    return work.refuse({ code: 'already_scheduled', message: 'The cancellation is already scheduled.' });
  }
  if (isCharging(work, subscription)) return work.refuse(chargeInProgress);
  const reason = command.reason ?? defaultCancelReason;
  if (canBeScheduled && !command.immediate) return schedule(work, subscription, reason);
  const withdrawn = { ...subscription, cancelAtPeriodEnd: false, cancellationScheduledAt: null, cancelEffectiveAt: null };
  endSubscription(work, withdrawn, { reason, canceledAt: work.now, endDate: work.now });
  return work.done('done', subscription.id);
}

function schedule(work: Work, subscription: SubscriptionRow, reason: string): Decision {
  const effectiveAt = boundOf(subscription, subscription.status === 'trialing' ? subscription.trialEndsAt : subscription.periodEnd);
  const scheduled = work.subscriptions.put({
    ...revokeScheduled(work, subscription),
    cancelAtPeriodEnd: true,
    cancellationScheduledAt: work.now,
    cancelReason: reason,
    cancelEffectiveAt: effectiveAt,
    endDate: effectiveAt,
    updatedAt: work.now,
  });
  work.emit(cancellationScheduled(work.customer, scheduled));
  work.emit(subscriptionUpdated(work.customer, scheduled));
  work.emit(stateChanged(work.customer, scheduled, 'cancellation_scheduled'));
  return work.done('done', subscription.id);
}

/** Withdraws a scheduled cancellation whose boundary has not been executed; the period stays as it is (SUB-29). */
export function uncancel(work: Work, subscription: SubscriptionRow): Decision {
  const refusal = statusRefusal('uncancel', subscription);
  if (refusal !== null) return work.refuse(refusal);
  const { cancellationScheduledAt } = subscription;
  if (!subscription.cancelAtPeriodEnd || cancellationScheduledAt === null) {
    return work.refuse({ code: 'not_scheduled_for_cancellation', message: 'No cancellation of the subscription is scheduled.' });
  }
  const kept = work.subscriptions.put({
    ...subscription,
    cancelAtPeriodEnd: false,
    cancellationScheduledAt: null,
    cancelReason: null,
    cancelEffectiveAt: null,
    endDate: null,
    updatedAt: work.now,
  });
  if (kept.status === 'active') restoreUpcoming(work, kept, cancellationScheduledAt);
  work.emit(cancellationRevoked(work.customer, kept));
  work.emit(subscriptionUpdated(work.customer, kept));
  work.emit(stateChanged(work.customer, kept, 'cancellation_revoked'));
  return work.done('done', kept.id);
}
