import type { SubscriptionRow } from '../../rows/rows.ts';
import { chargeDunningInvoice, payerRejection, retryRejection } from '../lifecycle/retry.ts';
import type { Decision } from '../state/aggregate.ts';
import { subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Charges the outstanding invoice of a past-due subscription to its stored payment method at the payer's request. A
 * declined charge doesn't use up a dunning retry. Fails with `rate_limited` after too many requests within an hour
 * (BIL-42).
 */
export const subscriptionRetry = subscriptionCommand({
  kind: 'subscription.retry',
  decide(draft: Draft, subscription: SubscriptionRow): Decision {
    const rejection = retryRejection(draft, subscription) ?? payerRejection(draft, subscription);
    return rejection === null ? chargeDunningInvoice(draft, subscription, true) : draft.reject(rejection);
  },
});
