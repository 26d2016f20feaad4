import { QuittanceError } from '../../../domain/errors/errors.ts';
import {
  anyMethod,
  type EnteredAtCheckout,
  type QuotedCheckout,
  quoteCheckout,
  quoteCurrentCharge,
} from '../../../domain/subscription/payments/checkout-quote.ts';
import { isCountryNeeded } from '../../../domain/tax/tax.ts';
import { type NextCharge, nextCharge, nextChargesOf } from '../../../engine/preview/next-charge.ts';
import { withSnapshot } from '../../../engine/preview/with-snapshot.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { loadLines } from '../../invoices/invoices/load-parts.ts';
import type { PayerLine } from '../../invoices/invoices/types/payer-line.ts';
import { loadPageLanguage } from '../../organization/organizations/types/page.ts';
import type { ConnectionRow } from '../../payments/connections/store.ts';
import { requireSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { enabledInstruments, type OfferedInstrument, offeredInstruments } from './derive-instruments.ts';
import { isOpen, spokenAt } from './load.ts';
import { checkoutConnection } from './store-method.ts';

export type CheckoutQuote = QuotedCheckout & {
  /** Next charge after the checkout. `null` if nothing will be charged, or if its tax depends on an unknown country. */
  readonly next: NextCharge | null;
  /** Account that would collect the payment. `null` means the platform's payment provider. */
  readonly connection: ConnectionRow | null;
  readonly instruments: readonly OfferedInstrument[];
};

/** Returns the input for a quote. During an authentication, a missing address defaults to the address entered for the pending payment. */
function typedBefore({ pendingCheckout }: SubscriptionRow, input: EnteredAtCheckout): EnteredAtCheckout {
  if (input.billingAddress !== null || pendingCheckout === null) return input;
  const { billingAddress, taxDocument } = pendingCheckout;
  return { ...input, billingAddress, taxDocument: input.taxDocument ?? taxDocument };
}

/**
 * Returns the quote of an open checkout for this input, with the next charge. The calculation is the same as for a payment, but nothing is
 * stored. Throws the promo code errors, `payment_failed` if the tax can't be calculated, `missing_regional_price`, and
 * `invalid_subscription_status` if the checkout isn't open.
 */
export async function quoteFor(
  ctx: Context,
  subscriptionId: string,
  input: EnteredAtCheckout,
): Promise<CheckoutQuote> {
  const subscription = await requireSubscription(ctx, subscriptionId);
  const typed = typedBefore(subscription, input);
  const order = {
    kind: 'checkout.pay',
    subscriptionId,
    method: anyMethod,
    abandoned: null,
    ...typed,
  } as const;
  const quoted = await withSnapshot(ctx, subscription.customerId, [order], ({ aggregate, now, deps }) => {
    const quote = quoteCheckout(aggregate, { subscriptionId, now, ...typed }, deps);
    if ('code' in quote) return quote;
    const isTaxOpen = isCountryNeeded({
      country: typed.billingAddress?.country ?? aggregate.customer.country,
      registrations: aggregate.taxRegistrations,
    });
    return { ...quote, next: isTaxOpen ? null : nextCharge(quote.paid, subscriptionId, now, deps) };
  });
  if ('code' in quoted) throw new QuittanceError(quoted);
  const connection = await checkoutConnection(ctx, subscription, typed.billingAddress?.country);
  const customer = await loadExistingRow(ctx, 'Customer', subscription.customerId);
  const charge = {
    currency: quoted.subscription.currency,
    country: typed.billingAddress?.country ?? customer.country,
    amountMinor: quoted.invoice?.total ?? null,
  };
  const instruments = offeredInstruments(charge, {
    livemode: ctx.livemode,
    connection,
    isImmediate: subscription.status !== 'pending_payment',
    interval: quoted.subscription.billingInterval,
    enabled: await enabledInstruments(ctx),
  });
  return { ...quoted, connection, instruments };
}

/** Time after completion during which a checkout returns the next charge. Limited because the checkout URL may have been forwarded. */
const nextChargeMs = 24 * 3_600_000;

/**
 * Returns the charge that follows an open checkout. During an authentication, uses the address entered for the pending payment. For a day
 * after completion, returns the subscription's next charge. `null` if nothing will be charged, or if the charge can't be calculated yet.
 */
export async function findNextCharge(
  ctx: Context,
  subscription: SubscriptionRow,
): Promise<NextCharge | null> {
  const { id, status, activatedAt, termsFrom, pendingCheckout } = subscription;
  if (!isOpen(subscription)) {
    const completedAt = activatedAt ?? (status === 'trialing' ? termsFrom : null);
    const isRecent = completedAt !== null && completedAt.getTime() > ctx.clock.now().getTime() - nextChargeMs;
    return isRecent && status !== 'canceled'
      ? ((await nextChargesOf(ctx, [subscription])).get(id) ?? null)
      : null;
  }
  const order = {
    kind: 'checkout.pay',
    subscriptionId: id,
    method: anyMethod,
    abandoned: null,
    billingAddress: pendingCheckout?.billingAddress ?? null,
  } as const;
  return withSnapshot(ctx, subscription.customerId, [order], ({ aggregate, now, deps }) => {
    const standing = quoteCurrentCharge(aggregate, { subscriptionId: id, now }, deps);
    return 'code' in standing ? null : nextCharge(standing.quote.paid, id, now, standing.deps);
  });
}

/** Returns the line items of a quote in the page's language. */
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
