// Changes a free subscription to a paid plan through a hosted checkout (SUB-47). The subscription doesn't
// change before the checkout is paid.
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { invoiceEvent } from '../../events/payment-events.ts';
import { checkoutReady } from '../../events/subscription-events.ts';
import { processorRejection } from '../../payments/processors.ts';
import { priceAt } from '../../pricing/resolve.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { isSameTax, untaxed } from '../../tax/tax.ts';
import { abandonAuthentication } from '../invoicing/charging.ts';
import { amountElsewhere, isAmount } from '../invoicing/checkout-pricing.ts';
import { isBelowMinimum } from '../invoicing/invoicing.ts';
import { belowMinimum } from '../invoicing/minimum.ts';
import { putOpenInvoice } from '../invoicing/open-invoice.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { invoiceOf, planById, quotedOffer } from '../pricing/lookup.ts';
import type { Quoted, Terms } from '../pricing/offering.ts';
import { dropQuote, quote } from '../pricing/quotes.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import { changeOf, changePurchase, checkoutDraft } from './change-amounts.ts';
import { cancelUnpaidChange } from './change-settled.ts';
import { type ChangeTarget, changeScope } from './change-target.ts';
import { asChanged, changedRateRejection } from './change-terms.ts';

type Priced = Pick<ChangeTarget, 'plan'> & { readonly price: NonNullable<ChangeTarget['price']> };

/**
 * Returns the invoice of a plan change that awaits its payment at a checkout. `null` if no change awaits
 * payment.
 */
export function openChange(draft: Draft, { status, checkoutInvoiceId }: SubscriptionRow): InvoiceRow | null {
  return status === 'active' && checkoutInvoiceId !== null ? invoiceOf(draft, checkoutInvoiceId) : null;
}

/**
 * Returns true if an offer reduces the total to an amount above 0 but below the minimum charge. The undiscounted total
 * must reach the minimum (BIL-35).
 */
function fallsBelowMinimum(
  draft: Draft,
  subscription: SubscriptionRow,
  target: Priced,
  terms: Terms,
): boolean {
  const isBelow = (applied: Terms | null): boolean => {
    const { invoice } = checkoutDraft(draft, subscription, target, applied);
    return invoice.total > 0n && isBelowMinimum(draft, { planId: target.plan.id }, invoice);
  };
  return isBelow(terms) && !isBelow(null);
}

/**
 * Cancels a plan change that awaits its payment at a checkout, and abandons a pending attempt. Returns the
 * updated subscription.
 */
export function closeChangeCheckout(draft: Draft, subscription: SubscriptionRow): SubscriptionRow {
  const invoice = openChange(draft, subscription);
  if (invoice === null) return subscription;
  abandonAuthentication(draft, subscription.pendingCheckout);
  cancelUnpaidChange(draft, subscription, invoice);
  return draft.subscriptions.patch(subscription.id, { checkoutInvoiceId: null, pendingCheckout: null });
}

/** Removes the pending attempt and the quoted offer before the checkout is repriced. */
function withoutAttempt(draft: Draft, subscription: SubscriptionRow): SubscriptionRow {
  abandonAuthentication(draft, subscription.pendingCheckout);
  const quoted = quotedOffer(draft, subscription);
  if (quoted !== null) dropQuote(draft, quoted, 'expired');
  return draft.subscriptions.patch(subscription.id, { pendingCheckout: null });
}

function issueChange(
  draft: Draft,
  subscription: SubscriptionRow,
  target: Priced,
  terms: Quoted | null,
  revised: InvoiceRow | null,
): SubscriptionRow {
  const invoice = putOpenInvoice(draft, revised, () => {
    const issued = checkoutDraft(draft, subscription, target, terms);
    const purchase = changePurchase(draft, subscription, target, terms, issued, true);
    return { ...issued, invoice: { ...issued.invoice, purchase } };
  });
  const open = draft.subscriptions.patch(subscription.id, {
    checkoutInvoiceId: invoice.id,
    updatedAt: draft.now,
  });
  draft.emit(invoiceEvent(revised === null ? 'invoice.created' : 'invoice.updated', draft.customer, invoice));
  return open;
}

/** Opens the checkout for a plan change and replaces any open checkout. No charge may be in progress. */
export function openChangeCheckout(
  draft: Draft,
  subscription: SubscriptionRow,
  { terms, ...target }: Priced & Pick<ChangeTarget, 'terms'>,
  successUrl: string | null,
): Decision {
  const { processors } = draft.aggregate.environment;
  const rejection =
    changedRateRejection(draft, asChanged(draft, subscription, target)) ??
    processorRejection(processors, subscription.selection);
  if (rejection !== null) return draft.reject(rejection);
  if (terms !== null && fallsBelowMinimum(draft, subscription, target, terms))
    return draft.reject(belowMinimum(terms));
  const closed = closeChangeCheckout(draft, subscription);
  if (terms !== null) quote(draft, closed, terms, target.price);
  const open = issueChange(draft, draft.subscriptions.patch(closed.id, { successUrl }), target, terms, null);
  draft.emit(checkoutReady(draft.customer, open, invoiceOf(draft, open.checkoutInvoiceId)));
  return draft.done('done', open.id, open.checkoutInvoiceId);
}

/**
 * Returns the checkout for a plan change in the market and currency of the payer's country, with the payer's tax.
 * Reprices the invoice if the market, currency, or tax changed (CAT-27, BIL-20).
 */
export function changeLocated(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  country: string | null,
): SubscriptionRow | Rejection {
  const change = changeOf(invoice);
  const row = change === null ? undefined : draft.aggregate.catalog.prices.get(change.priceId);
  if (change === null || row === undefined)
    throw new Error(`The invoice ${invoice.id} changes to no price of the catalog.`);
  const scope = changeScope(draft, subscription);
  const price = priceAt(draft.aggregate.catalog, row, draft.dueAt, 'country' in scope ? { country } : scope);
  if ('failure' in price) return priceRejection(price.failure);
  const isSamePlace = price.currency === change.currency && price.market === change.marketId;
  if (isSamePlace && isSameTax(invoice.tax ?? untaxed, customerTax(draft))) return subscription;
  const kept = isSamePlace ? { ...price, amountMinor: BigInt(change.priceMinor) } : price;
  const target = { plan: planById(draft, change.toPlanId), price: kept };
  const rejection = changedRateRejection(draft, asChanged(draft, subscription, target));
  if (rejection !== null) return rejection;
  const quoted = quotedOffer(draft, subscription);
  if (quoted !== null && price.currency !== change.currency && quoted.phases.some(isAmount))
    return amountElsewhere;
  const open = withoutAttempt(draft, subscription);
  if (quoted !== null) quote(draft, open, quoted, kept);
  return issueChange(draft, open, target, quoted, invoice);
}

/**
 * Rejection for a promo code at the checkout for a plan change. Promo codes apply only to new
 * subscriptions (OFR-36).
 */
export const noCodeForChange: Rejection = specificRejection('offer_not_applicable', 'plan_change', {
  param: 'promoCode',
  details: { reason: 'plan_change' },
});
