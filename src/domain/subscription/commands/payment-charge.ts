import { newPayment, type PaymentTerms } from '../../payments/payment.ts';
import { processorRejection } from '../../processors.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { ask } from '../payments/payment-attempt.ts';
import { termsOf } from '../payments/payment-links.ts';
import { methodOf, storedMethods } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { noPaymentMethod } from '../state/rejections.ts';
import type { PaymentMethodRow } from '../state/rows.ts';

type Input = Timed & PaymentTerms;

/**
 * The method a charge is made to: that of a subscription that is not over, else the one stored last; null
 * without any (PAY-7).
 */
function usableMethod(draft: Draft): PaymentMethodRow | null {
  const running = draft.subscriptions
    .all()
    .findLast(({ status, paymentMethodId }) => status !== 'canceled' && paymentMethodId !== null);
  return (running === undefined ? null : methodOf(draft, running)) ?? storedMethods(draft).at(-1) ?? null;
}

/**
 * Charges a stored method of the customer, where it is stored (PAY-7, PAY-14). Rejects with
 * `no_payment_method`, and with `provider_unsupported` where that cannot be charged, before anything is
 * written.
 */
export const paymentCharge = customerCommand({
  kind: 'payment.charge',
  needs: () => ({}),
  decide(draft: Draft, command: Input): Decision {
    const method = usableMethod(draft);
    if (method === null) return draft.reject(noPaymentMethod);
    const rejection = processorRejection(draft.aggregate.environment.processors, method);
    if (rejection !== null) return draft.reject(rejection);
    const tax = customerTax(draft);
    const routing = { provider: method.provider, namedProvider: null, connectionId: null };
    const about = {
      kind: 'charge',
      customerId: draft.customer.id,
      successUrl: null,
      tax,
      ...routing,
    } as const;
    const payment = draft.payments.add(newPayment(termsOf(command), about, draft.now));
    return ask(draft, payment, { method, billingAddress: null, taxDocument: null, tax });
  },
});
