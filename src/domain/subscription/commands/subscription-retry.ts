import { attemptFreely, payerLimit, retryRejection } from '../lifecycle/retry.ts';
import type { Decision } from '../state/aggregate.ts';
import { subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import type { SubscriptionRow } from '../state/rows.ts';

/**
 * Charges what a past-due subscription owes to its stored method, because the payer asks for it. A decline
 * uses up no slot. Rejected with `rate_limited` after too many within an hour (BIL-42).
 */
export const subscriptionRetry = subscriptionCommand({
  kind: 'subscription.retry',
  decide(draft: Draft, subscription: SubscriptionRow): Decision {
    const rejection = retryRejection(draft, subscription) ?? payerLimit(draft, subscription);
    return rejection === null ? attemptFreely(draft, subscription, true) : draft.reject(rejection);
  },
});
