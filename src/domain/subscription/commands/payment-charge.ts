import { newPayment, type PaymentTerms } from '../../payments/payment.ts';
import { processorRejection } from '../../payments/processors.ts';
import type { PaymentMethodRow } from '../../rows/rows.ts';
import { lateRejection } from '../invoicing/debit-terms.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { ask } from '../payments/payment-attempt.ts';
import { termsOf } from '../payments/payment-links.ts';
import { purchaseMethod } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { noPaymentMethod } from '../state/rejections.ts';

type Input = Timed & PaymentTerms;

/**
 * Returns the payment method to charge: the payment method of a subscription that isn't canceled, otherwise the
 * newest stored payment method that can be charged. `null` if neither exists (PAY-7).
 */
function usableMethod(draft: Draft): PaymentMethodRow | null {
  const running = draft.subscriptions
    .all()
    .findLast(({ status, paymentMethodId }) => status !== 'canceled' && paymentMethodId !== null);
  return purchaseMethod(draft, { paymentMethodId: running?.paymentMethodId ?? null });
}

/**
 * Charges a stored payment method of the customer (PAY-7, PAY-14). Fails with `no_payment_method` if the customer has
 * no stored payment method, and with `provider_unsupported` if its provider can't charge. Both checks run before any
 * write.
 */
export const paymentCharge = customerCommand({
  kind: 'payment.charge',
  needs: () => ({}),
  decide(draft: Draft, command: Input): Decision {
    const method = usableMethod(draft);
    if (method === null) return draft.reject(noPaymentMethod);
    const rejection =
      lateRejection(method) ?? processorRejection(draft.aggregate.environment.processors, method);
    if (rejection !== null) return draft.reject(rejection);
    const tax = customerTax(draft);
    const routing = { provider: method.provider, namedProvider: null, connectionId: null };
    const about = {
      kind: 'charge',
      customerId: draft.customer.id,
      successUrl: null,
      saveCard: 'never',
      tax,
      ...routing,
    } as const;
    const payment = draft.payments.add(newPayment(termsOf(command), about, draft.now));
    return ask(draft, payment, {
      method,
      savesMethod: false,
      billingAddress: null,
      taxDocument: null,
      tax,
    });
  },
});
