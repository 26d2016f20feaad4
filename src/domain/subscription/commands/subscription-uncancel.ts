import { defaultRejection, specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { isEnding, revokeCancellation } from '../lifecycle/revoke-cancellation.ts';
import type { Decision } from '../state/aggregate.ts';
import { subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { statusRejection } from '../state/rejections.ts';

/**
 * Revokes a scheduled cancellation. The billing period doesn't change (SUB-29). Fails with `subscription_already_canceled` if
 * the cancellation has taken effect, although the last charge is still in progress (SUB-25).
 */
export const subscriptionUncancel = subscriptionCommand({
  kind: 'subscription.uncancel',
  decide(draft: Draft, subscription: SubscriptionRow): Decision {
    const rejection = statusRejection('uncancel', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const { cancellationScheduledAt } = subscription;
    if (isEnding(draft, subscription)) return draft.reject(defaultRejection('subscription_already_canceled'));
    if (!subscription.cancelAtPeriodEnd || cancellationScheduledAt === null) {
      return draft.reject(specificRejection('not_scheduled_for_cancellation', 'none_scheduled'));
    }
    revokeCancellation(draft, subscription, cancellationScheduledAt);
    return draft.done('done', subscription.id);
  },
});
