import { defaultRejection } from '../../errors/errors.ts';
import { paymentMethodStored } from '../../events/payment-events.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { chargeLeft } from '../lifecycle/payer-collection.ts';
import { isCharging, methodOf } from '../pricing/lookup.ts';
import { scheduleExpiring } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly paymentMethodId: string;
};

/**
 * Sets another stored payment method of the customer as the subscription's default (PAY-33). Charges only the invoices that
 * were left to the customer (INS-E13).
 */
export const methodChoose = subscriptionCommand({
  kind: 'method.choose',
  decide(draft: Draft, subscription: SubscriptionRow, { paymentMethodId }: Input): Decision {
    const rejection = statusRejection('updateMethod', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const method = methodOf(draft, { paymentMethodId });
    if (method === null)
      return draft.reject(defaultRejection('payment_method_not_found', { param: 'paymentMethodId' }));
    if (subscription.pendingCheckout !== null || isCharging(draft, subscription))
      return draft.reject(chargeInProgress);
    if (subscription.paymentMethodId === method.id) return draft.done('unchanged', subscription.id);
    draft.emit(paymentMethodStored(draft.customer, subscription, method, true));
    draft.subscriptions.patch(subscription.id, {
      paymentMethodId: method.id,
      provider: method.provider,
      updatedAt: draft.now,
    });
    scheduleExpiring(draft, { ...subscription, paymentMethodId: method.id });
    chargeLeft(draft, draft.subscriptions.get(subscription.id), method);
    return draft.done('done', subscription.id);
  },
});
