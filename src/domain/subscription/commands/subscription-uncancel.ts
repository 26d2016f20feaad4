import { specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { revokeCancellation } from '../lifecycle/revoke-cancellation.ts';
import type { Decision } from '../state/aggregate.ts';
import { subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { statusRejection } from '../state/rejections.ts';

/** Revokes a scheduled cancellation. The billing period doesn't change (SUB-29). */
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
