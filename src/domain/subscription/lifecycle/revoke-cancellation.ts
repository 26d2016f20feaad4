import { cancellationRevoked, stateChanged, subscriptionUpdated } from '../../events/subscription-events.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { isCharging } from '../pricing/lookup.ts';
import { restoreUpcoming } from '../schedule/notices.ts';
import type { Draft } from '../state/draft.ts';

/** Returns true if a scheduled cancellation has taken effect and only the last charge is still in progress (SUB-25). */
export const isEnding = (draft: Draft, subscription: SubscriptionRow): boolean =>
  subscription.cancelEffectiveAt !== null &&
  subscription.cancelEffectiveAt <= draft.now &&
  isCharging(draft, subscription);

/**
 * Revokes a scheduled cancellation. `scheduledAt` is the time when the cancellation was scheduled. The billing period
 * doesn't change (SUB-29).
 */
export function revokeCancellation(
  draft: Draft,
  { id }: Pick<SubscriptionRow, 'id'>,
  scheduledAt: Date,
): SubscriptionRow {
  const kept = draft.subscriptions.patch(id, {
    cancelAtPeriodEnd: false,
    cancellationScheduledAt: null,
    cancelReason: null,
    cancelEffectiveAt: null,
    endDate: null,
    updatedAt: draft.now,
  });
  if (kept.status === 'active') restoreUpcoming(draft, kept, scheduledAt);
  draft.emit(cancellationRevoked(draft.customer, kept));
  draft.emit(subscriptionUpdated(draft.customer, kept));
  draft.emit(stateChanged(draft.customer, kept, 'cancellation_revoked'));
  return kept;
}
