import type { MethodDetails, SubscriptionRow } from '../../rows/rows.ts';
import { requestSetup } from '../invoicing/charging.ts';
import { misfitRejection } from '../invoicing/debit-terms.ts';
import { isPush, nothingToPay } from '../invoicing/push-terms.ts';
import { ask, isAwaited } from '../payments/recovery.ts';
import { isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly method: MethodDetails;
  /**
   * ID of the attempt whose abandoned authentication was already canceled at the provider. `null` if no
   * attempt was canceled.
   */
  readonly abandoned: string | null;
};

/**
 * Verifies and stores a payment method, and sets it as the subscription's payment method. Charges nothing.
 */
export const methodUpdate = subscriptionCommand({
  kind: 'method.update',
  decide(draft: Draft, subscription: SubscriptionRow, { method, abandoned }: Input): Decision {
    const rejection = statusRejection('updateMethod', subscription);
    if (rejection !== null) return draft.reject(rejection);
    if (isCharging(draft, subscription) || isAwaited(subscription, abandoned))
      return draft.reject(chargeInProgress);
    const { currency } = subscription;
    const misfit = misfitRejection(method, { currency, country: draft.customer.country, amountMinor: null });
    if (misfit !== null) return draft.reject(misfit);
    if (isPush(method)) return draft.reject(nothingToPay);
    ask(draft, subscription, requestSetup(draft, subscription, method), null, method);
    return draft.done('charging', subscription.id);
  },
});
