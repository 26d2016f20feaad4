import { paymentMethodDetached } from '../../events/payment-events.ts';
import type { MandateEnder } from '../../rows/enums.ts';
import type { PaymentMethodRow } from '../../rows/rows.ts';
import type { Draft } from '../state/draft.ts';
import { endMandate } from './mandates.ts';

/**
 * Removes a stored payment method and the references from loaded subscriptions (PAY-34), and ends its mandate. Past
 * payments remain refundable. The engine deletes the method at the provider. Emits `payment_method.detached`.
 */
export function removeMethod(draft: Draft, method: PaymentMethodRow, by: MandateEnder): void {
  endMandate(draft, method, { endedBy: by, reason: null });
  draft.paymentMethods.patch(method.id, { removedAt: draft.now });
  for (const { id, paymentMethodId } of draft.subscriptions.all()) {
    if (paymentMethodId === method.id)
      draft.subscriptions.patch(id, { paymentMethodId: null, updatedAt: draft.now });
  }
  draft.emit(paymentMethodDetached(draft.customer, method));
}
