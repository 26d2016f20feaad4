// Calculates the charge of an open checkout for a payer's address before the payment (BIL-20, OFR-26 line 8).
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import type {
  Address,
  InvoiceLineRow,
  InvoiceRow,
  MethodDetails,
  OfferApplicationRow,
  SubscriptionRow,
} from '../../rows/rows.ts';
import { isCountryNeeded, TaxNotComputedError } from '../../tax/tax.ts';
import { abandonAuthentication } from '../invoicing/charging.ts';
import { pricedFor } from '../invoicing/checkout-pricing.ts';
import { taxedFor } from '../invoicing/checkout-tax.ts';
import { enterPromoCode, withoutUsedTrial } from '../invoicing/reprice.ts';
import { enteredPayer, taxRejection } from '../invoicing/taxing.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { changeLocated, noCodeForChange, openChange } from '../plan-change/change-checkout.ts';
import { boundPrice, invoiceOf, quotedOffer } from '../pricing/lookup.ts';
import type { Aggregate, DecisionDeps } from '../state/aggregate.ts';
import { Draft } from '../state/draft.ts';
import { countryMissing, statusRejection } from '../state/rejections.ts';
import { checkoutAnswered } from './checkout.ts';

/** Values that the payer has entered so far. A value is `null` if it isn't entered yet. */
export type EnteredAtCheckout = {
  readonly billingAddress: Address | null;
  readonly taxDocument: string | null;
  readonly promoCode: string | null;
};

export const nothingEntered: EnteredAtCheckout = { billingAddress: null, taxDocument: null, promoCode: null };

/** Open checkout, with the amounts that would be charged now. */
export type QuotedCheckout = {
  /** Subscription with the plan, price, and currency after the payment. */
  readonly subscription: SubscriptionRow;
  /** List price per interval in minor units. `null` if the plan is free or the price is no longer sold. */
  readonly priceMinor: bigint | null;
  readonly offer: OfferApplicationRow | null;
  /** Invoice to charge. `null` if the checkout only stores a payment method. */
  readonly invoice: InvoiceRow | null;
  /** Lines of the revised invoice. `null` if the stored invoice doesn't change. */
  readonly lines: readonly InvoiceLineRow[] | null;
  readonly paid: Aggregate;
};

/** Placeholder for the payment method in quotes. */
export const anyMethod: MethodDetails = {
  reference: '',
  provider: 'platform',
  brand: '',
  last4: '',
  bin: null,
  expMonth: 1,
  expYear: 1,
};

/**
 * Returns the charge of an open checkout for the entered values, assuming that no card promotion matches.
 * Changes nothing. Returns the same rejections as the payment, except rejections that depend on the card.
 */
export function quoteCheckout(
  aggregate: Aggregate,
  {
    subscriptionId,
    now,
    ...typed
  }: EnteredAtCheckout & { readonly subscriptionId: string; readonly now: Date },
  deps: DecisionDeps,
): QuotedCheckout | Rejection {
  const draft = new Draft(aggregate, { dueAt: now, now }, deps);
  const subscription = draft.subscriptions.find(subscriptionId);
  if (subscription === null)
    return specificRejection('subscription_not_found', 'missing', { values: { missing: subscriptionId } });
  try {
    const priced = pricedAs(draft, subscription, typed);
    return 'code' in priced ? priced : quoted(draft, priced, typed);
  } catch (error) {
    if (error instanceof TaxNotComputedError) return taxRejection(error);
    throw error;
  }
}

/** Values entered at an open checkout, with dependencies that compute the tax of its charges. */
type EnteredDetails = { readonly typed: EnteredAtCheckout; readonly deps: DecisionDeps };

/**
 * Returns the known payer details of an open checkout. Uses the values entered for a pending attempt,
 * otherwise the payer of the invoice's tax, otherwise the stored customer. `null` if the country is unknown
 * but determines the tax.
 */
function enteredDetailsOf(
  aggregate: Aggregate,
  subscriptionId: string,
  deps: DecisionDeps,
): EnteredDetails | null {
  const { customer, taxRegistrations: registrations } = aggregate;
  const subscription = aggregate.subscriptions.find(({ id }) => id === subscriptionId);
  const pending = subscription?.pendingCheckout ?? null;
  const typed = pending === null ? nothingEntered : { ...pending, promoCode: null };
  if (pending?.billingAddress != null) return { typed, deps };
  const invoice = aggregate.invoices.find(({ id }) => id === subscription?.checkoutInvoiceId);
  const tax = invoice?.tax ?? null;
  if (tax !== null && tax.country !== null && tax.country !== customer.country)
    return { typed, deps: { ...deps, tax: () => tax } };
  return isCountryNeeded({ country: customer.country, registrations }) ? null : { typed, deps };
}

/**
 * Returns the current charge of an open checkout. The returned dependencies use the same payer's tax for
 * later charges (BIL-20). Changes nothing. Returns the same rejections as the payment.
 */
export function quoteCurrentCharge(
  aggregate: Aggregate,
  at: { readonly subscriptionId: string; readonly now: Date },
  deps: DecisionDeps,
): { readonly quote: QuotedCheckout; readonly deps: DecisionDeps } | Rejection {
  const entered = enteredDetailsOf(aggregate, at.subscriptionId, deps);
  if (entered === null) return countryMissing;
  const quote = quoteCheckout(aggregate, { ...at, ...entered.typed }, entered.deps);
  return 'code' in quote ? quote : { quote, deps: entered.deps };
}

/**
 * Computes the checkout's price, and the state after its payment, by simulating the payment in a draft that
 * is discarded.
 */
function quoted(
  draft: Draft,
  priced: SubscriptionRow,
  { billingAddress, taxDocument }: EnteredAtCheckout,
): QuotedCheckout {
  const invoice = priced.checkoutInvoiceId === null ? null : invoiceOf(draft, priced.checkoutInvoiceId);
  const offer = quotedOffer(draft, priced);
  const subscription = withChangeTarget(priced, invoice);
  const price = subscription.priceId === null ? null : boundPrice(draft, subscription);
  const about = invoice !== null && changeOf(invoice) !== null ? { changeInvoiceId: invoice.id } : {};
  const attempt = {
    attemptId: '',
    transactionId: null,
    state: 'asked',
    method: anyMethod,
    billingAddress,
    taxDocument,
    ...about,
  } as const;
  abandonAuthentication(draft, priced.pendingCheckout);
  const { aggregate: paid } = checkoutAnswered(draft, priced, attempt, { status: 'settled' });
  return {
    subscription,
    priceMinor: price === null || 'failure' in price ? null : price.amountMinor,
    offer,
    invoice,
    lines:
      invoice !== null && draft.isWritten(invoice.id)
        ? draft.lines.filter(({ invoiceId }) => invoiceId === invoice.id)
        : null,
    paid,
  };
}

/**
 * If the open checkout is for a plan change, returns the subscription with the new plan and price (SUB-47).
 */
export function withChangeTarget<
  T extends Pick<SubscriptionRow, 'planId' | 'priceId' | 'billingInterval' | 'currency' | 'marketId'>,
>(subscription: T, invoice: Pick<InvoiceRow, 'purchase'> | null): T {
  const change = invoice === null ? null : changeOf(invoice);
  if (change === null) return subscription;
  const { toPlanId: planId, priceId, billingInterval, currency, marketId } = change;
  return { ...subscription, planId, priceId, billingInterval, currency, marketId };
}

function pricedAs(
  draft: Draft,
  subscription: SubscriptionRow,
  typed: EnteredAtCheckout,
): SubscriptionRow | Rejection {
  const { billingAddress, taxDocument, promoCode } = typed;
  draft.payer = enteredPayer(draft.customer, { billingAddress, taxDocument });
  const country = billingAddress?.country ?? draft.customer.country;
  const change = openChange(draft, subscription);
  if (change !== null)
    return promoCode === null ? changeLocated(draft, subscription, change, country) : noCodeForChange;
  const rejection = statusRejection('checkout', subscription);
  if (rejection !== null) return rejection;
  const located = pricedFor(draft, subscription, country);
  if ('code' in located) return located;
  const open = withoutUsedTrial(draft, located);
  const priced = promoCode === null ? open : enterPromoCode(draft, open, promoCode);
  return 'code' in priced ? priced : taxedFor(draft, priced);
}
