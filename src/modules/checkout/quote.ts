import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import {
  anyMethod,
  type QuotedCheckout,
  quoteCheckout,
  type TypedAtCheckout,
} from '../../domain/subscription/payments/checkout-quote.ts';
import { type NextCharge, nextCharge } from '../../engine/next-charge.ts';
import { withSnapshot } from '../../engine/with-snapshot.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { loadLines } from '../invoices/load-parts.ts';
import type { PayerLine } from '../invoices/types/payer-line.ts';
import { loadPageLanguage } from '../organizations/types/page.ts';
import type { ConnectionRow } from '../payment-connections/store.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { spokenAt } from './load.ts';
import { checkoutConnection } from './store-method.ts';

/** An open checkout as it would be paid now. */
export type CheckoutQuote = QuotedCheckout & {
  /** What would be charged after it; null where nothing is charged again. */
  readonly next: NextCharge | null;
  /** The account that would take the card; null for the platform's own processor. */
  readonly connection: ConnectionRow | null;
};

/** What is quoted where nothing has been typed in. */
export const nothingTyped: TypedAtCheckout = { billingAddress: null, taxDocument: null, promoCode: null };

/**
 * What an open checkout would charge a payer with this input, computed as paying would and not written, and what it would charge next.
 * Throws the codes of the promo code, `payment_failed` where the tax cannot be computed, `missing_regional_price` and
 * `invalid_subscription_status` once the checkout is over.
 */
export async function quoteFor(
  ctx: Context,
  subscriptionId: string,
  typed: TypedAtCheckout,
): Promise<CheckoutQuote> {
  const subscription = await requireSubscription(ctx, subscriptionId);
  const order = {
    kind: 'checkout.pay',
    subscriptionId,
    method: anyMethod,
    abandoned: null,
    ...typed,
  } as const;
  const quoted = await withSnapshot(ctx, subscription.customerId, [order], ({ aggregate, now, deps }) => {
    const quote = quoteCheckout(aggregate, { subscriptionId, now, ...typed }, deps);
    return 'code' in quote ? quote : { ...quote, next: nextCharge(quote.paid, subscriptionId, now, deps) };
  });
  if ('code' in quoted) throw new QuittanceError(quoted);
  return {
    ...quoted,
    connection: await checkoutConnection(ctx, subscription, typed.billingAddress?.country),
  };
}

/** The same with nothing typed in; null where it cannot be computed without it, or the checkout is over. */
export async function findQuote(ctx: Context, subscriptionId: string): Promise<CheckoutQuote | null> {
  try {
    return await quoteFor(ctx, subscriptionId, nothingTyped);
  } catch (error) {
    if (error instanceof QuittanceError) return null;
    throw error;
  }
}

/** What a quote would charge, line by line, in the language of the page. */
export async function loadQuotedLines(
  ctx: Context,
  { invoice, lines, subscription }: CheckoutQuote,
  link: string | null | undefined,
): Promise<PayerLine[]> {
  if (invoice === null) return [];
  const { currency } = invoice;
  const customer = await loadExistingRow(ctx, 'Customer', subscription.customerId);
  const language = await loadPageLanguage(ctx, { link, ...spokenAt({ subscription, customer }) });
  return (lines ?? (await loadLines(ctx, invoice))).map((line) => ({ ...line, currency, language }));
}
