import { requestSetup } from '../invoicing/charging.ts';
import { ask, isAwaited } from '../payments/recovery.ts';
import { isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, statusRejection } from '../state/rejections.ts';
import type { MethodDetails, SubscriptionRow } from '../state/rows.ts';

type Input = OnSubscription & {
  readonly method: MethodDetails;
  /** The attempt whose authentication was abandoned before, as at a checkout. */
  readonly abandoned: string | null;
};

/**
 * Asks the gateway to verify and store a method, which then takes the place of the one the subscription has.
 * Charges nothing.
 */
export const methodUpdate = subscriptionCommand({
  kind: 'method.update',
  decide(draft: Draft, subscription: SubscriptionRow, { method, abandoned }: Input): Decision {
    const rejection = statusRejection('updateMethod', subscription);
    if (rejection !== null) return draft.reject(rejection);
    if (isCharging(draft, subscription) || isAwaited(subscription, abandoned))
      return draft.reject(chargeInProgress);
    ask(draft, subscription, requestSetup(draft, subscription, method), null, method);
    return draft.done('charging', subscription.id);
  },
});
