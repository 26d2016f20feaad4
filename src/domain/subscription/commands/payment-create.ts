import { paymentLinkEvent } from '../../events/payment-link-data.ts';
import { newPayment, type PaymentTerms, type Routing } from '../../payments/payment.ts';
import type { CardSaving } from '../../rows/payment-rows.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { linkRejection, termsOf } from '../payments/payment-links.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed &
  PaymentTerms & {
    readonly successUrl: string | null;
    readonly saveCard: CardSaving;
    readonly routing: Routing;
  };

/** Creates a payment link with the customer's current tax. Emits `payment_link.created`. */
export const paymentCreate = customerCommand({
  kind: 'payment.create',
  needs: () => ({}),
  decide(draft: Draft, { successUrl, saveCard, routing, ...terms }: Input): Decision {
    const rejection = linkRejection(draft.aggregate.environment.processors, routing);
    if (rejection !== null) return draft.reject(rejection);
    const about = {
      kind: 'link',
      customerId: draft.customer.id,
      successUrl,
      saveCard,
      tax: customerTax(draft),
      ...routing,
    } as const;
    const payment = draft.payments.add(newPayment(termsOf(terms), about, draft.now));
    draft.emit(paymentLinkEvent('payment_link.created', payment, draft.customer));
    return draft.done('done', null);
  },
});
