import { specificRejection } from '../../errors.ts';
import { cancellationRevoked, stateChanged, subscriptionUpdated } from '../../subscription-events.ts';
import { restoreUpcoming } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import { subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { statusRejection } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';

/**
 * Withdraws a scheduled cancellation whose boundary has not been executed; the period stays as it is
 * (SUB-29).
 */
export const subscriptionUncancel = subscriptionCommand({
  kind: 'subscription.uncancel',
  decide(draft: Draft, subscription: SubscriptionRow): Decision {
    const rejection = statusRejection('uncancel', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const { cancellationScheduledAt } = subscription;
    if (!subscription.cancelAtPeriodEnd || cancellationScheduledAt === null) {
      return draft.reject(specificRejection('not_scheduled_for_cancellation', 'none_scheduled'));
    }
    const kept = draft.subscriptions.patch(subscription.id, {
      cancelAtPeriodEnd: false,
      cancellationScheduledAt: null,
      cancelReason: null,
      cancelEffectiveAt: null,
      endDate: null,
      updatedAt: draft.now,
    });
    if (kept.status === 'active') restoreUpcoming(draft, kept, cancellationScheduledAt);
    draft.emit(cancellationRevoked(draft.customer, kept));
    draft.emit(subscriptionUpdated(draft.customer, kept));
    draft.emit(stateChanged(draft.customer, kept, 'cancellation_revoked'));
    return draft.done('done', kept.id);
  },
});
