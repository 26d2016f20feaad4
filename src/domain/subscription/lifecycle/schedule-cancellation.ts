import {
  cancellationScheduled,
  stateChanged,
  subscriptionUpdated,
} from '../../events/subscription-events.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { revokeScheduled } from '../plan-change/scheduled-change.ts';
import type { Draft } from '../state/draft.ts';

/** Schedules a cancellation for the end of the period, or of the trial. Cancels a scheduled plan change (SUB-23). */
export function scheduleCancellation(draft: Draft, subscription: SubscriptionRow, reason: string): void {
  const effectiveAt = boundOf(
    subscription,
    subscription.status === 'trialing' ? subscription.trialEndsAt : subscription.periodEnd,
  );
  revokeScheduled(draft, subscription);
  const scheduled = draft.subscriptions.patch(subscription.id, {
    cancelAtPeriodEnd: true,
    cancellationScheduledAt: draft.now,
    cancelReason: reason,
    cancelEffectiveAt: effectiveAt,
    endDate: effectiveAt,
    updatedAt: draft.now,
  });
  draft.emit(cancellationScheduled(draft.customer, scheduled));
  draft.emit(subscriptionUpdated(draft.customer, scheduled));
  draft.emit(stateChanged(draft.customer, scheduled, 'cancellation_scheduled'));
}
