// How stored methods are given up (PAY-34).
import { paymentMethodDetached } from '../../payment-events.ts';
import type { Draft } from '../state/draft.ts';
import type { PaymentMethodRow } from '../state/rows.ts';

/**
 * Removes a stored method, which the subscriptions read forget. What it paid can still be refunded; the engine
 * has the provider forget it. Sends `payment_method.detached`.
 */
export function removeMethod(draft: Draft, method: PaymentMethodRow): void {
  draft.paymentMethods.patch(method.id, { removedAt: draft.now });
  for (const { id, paymentMethodId } of draft.subscriptions.all()) {
    if (paymentMethodId === method.id)
      draft.subscriptions.patch(id, { paymentMethodId: null, updatedAt: draft.now });
  }
  draft.emit(paymentMethodDetached(draft.customer, method));
}
