import { specificRejection } from '../../errors.ts';
import { revokeCancellation } from '../lifecycle/revoke-cancellation.ts';
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
    revokeCancellation(draft, subscription, cancellationScheduledAt);
    return draft.done('done', subscription.id);
  },
});
