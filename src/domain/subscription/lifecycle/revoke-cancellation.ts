import { cancellationRevoked, stateChanged, subscriptionUpdated } from '../../subscription-events.ts';
import { restoreUpcoming } from '../schedule/notices.ts';
import type { Draft } from '../state/draft.ts';
import type { SubscriptionRow } from '../state/rows.ts';

/** Withdraws the cancellation a subscription has scheduled since an instant; the period stays as it is (SUB-29). */
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
