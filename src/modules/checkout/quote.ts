import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { quoteCheckout, type TypedAtCheckout } from '../../domain/subscription/checkout-quote.ts';
import type { InvoiceRow, MethodFacts } from '../../domain/subscription/rows.ts';
import { askAbout } from '../../engine/ask.ts';
import type { ConnectionRow } from '../payment-connections/service.ts';
import { requireSubscription } from '../subscriptions/find.ts';
import { checkoutConnection } from './method.ts';

/** What a payer would be charged, and which account would take it; null for the platform's own rail. */
export type CheckoutQuote = Pick<InvoiceRow, 'currency' | 'subtotal' | 'discountAmount' | 'taxAmount' | 'total'> & {
  readonly connection: ConnectionRow | null;
};

/** A method that is only named where one has to be. */
const anyMethod: MethodFacts = { reference: '', provider: 'platform', brand: '', last4: '', bin: null, expMonth: 1, expYear: 1 };

/**
 * What an open checkout would charge whoever typed this in, worked out as paying would and not written; 0 where a method is only stored.
 * Throws the codes of the promo code, `payment_failed` where the tax cannot be computed, `missing_regional_price` and
 * `invalid_subscription_status` once the checkout is over.
 */
export async function quoteFor(context: Context, subscriptionId: string, typed: TypedAtCheckout): Promise<CheckoutQuote> {
  const subscription = await requireSubscription(context, subscriptionId);
  const { customerId, currency } = subscription;
  const order = { kind: 'checkout.pay', subscriptionId, method: anyMethod, givenUp: null, ...typed } as const;
  const quoted = await askAbout(context, customerId, [order], ({ aggregate, now, tools }) =>
    quoteCheckout(aggregate, { subscriptionId, now, ...typed }, tools),
  );
  if (quoted !== null && 'code' in quoted) {
    throw new QuittanceError(quoted.code, quoted.message, { param: quoted.param, details: quoted.details });
  }
  const connection = await checkoutConnection(context, subscription, typed.billingAddress?.country);
  return { ...(quoted ?? { currency, subtotal: 0n, discountAmount: 0n, taxAmount: 0n, total: 0n }), connection };
}
