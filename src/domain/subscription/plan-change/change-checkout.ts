// A free subscription moves to a paid plan through the hosted checkout (SUB-47): until it is paid, nothing of
// it changes.
import { type Rejection, specificRejection } from '../../errors.ts';
import { invoiceEvent } from '../../payment-events.ts';
import { priceAt } from '../../pricing/resolve.ts';
import { processorRejection } from '../../processors.ts';
import { checkoutReady } from '../../subscription-events.ts';
import { isSameTax, untaxed } from '../../tax.ts';
import { abandonAuthentication } from '../invoicing/charging.ts';
import { amountElsewhere, isAmount } from '../invoicing/checkout-pricing.ts';
import { addInvoice, isBelowMinimum } from '../invoicing/invoicing.ts';
import { belowMinimum } from '../invoicing/minimum.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { invoiceOf, planById, quotedOffer } from '../pricing/lookup.ts';
import type { Quoted, Terms } from '../pricing/offering.ts';
import { quote } from '../pricing/quotes.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import type { InvoiceRow, SubscriptionRow } from '../state/rows.ts';
import { changeOf, changePurchase, checkoutDraft } from './change-amounts.ts';
import { giveUpChange } from './change-settled.ts';
import { type ChangeTarget, changeScope } from './change-target.ts';
import { asChanged, changedRateRejection } from './change-terms.ts';

type Priced = Pick<ChangeTarget, 'plan'> & { readonly price: NonNullable<ChangeTarget['price']> };

/** The invoice a subscription in force waits for to be paid at its checkout; null where it waits for none. */
export function openChange(draft: Draft, { status, checkoutInvoiceId }: SubscriptionRow): InvoiceRow | null {
  return status === 'active' && checkoutInvoiceId !== null ? invoiceOf(draft, checkoutInvoiceId) : null;
}

/**
 * Whether terms bring the total above 0 yet below what can be charged, where it would not be without them
 * (BIL-35).
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
 * Drops the change that waits at the checkout, with an attempt to pay it. Returns the subscription without
 * it.
 */
export function closeChangeCheckout(draft: Draft, subscription: SubscriptionRow): SubscriptionRow {
  const invoice = openChange(draft, subscription);
  if (invoice === null) return subscription;
  abandonAuthentication(draft, subscription.pendingCheckout);
  giveUpChange(draft, subscription, invoice);
  return draft.subscriptions.patch(subscription.id, { checkoutInvoiceId: null, pendingCheckout: null });
}

function issueChange(
  draft: Draft,
  subscription: SubscriptionRow,
  target: Priced,
  terms: Quoted | null,
): SubscriptionRow {
  const issued = checkoutDraft(draft, subscription, target, terms);
  const purchase = changePurchase(draft, subscription, target, terms, true);
  const invoice = addInvoice(draft, { ...issued.invoice, purchase }, issued.lines);
  const open = draft.subscriptions.patch(subscription.id, {
    checkoutInvoiceId: invoice.id,
    updatedAt: draft.now,
  });
  scheduleOverdue(draft, open, invoice);
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  return open;
}

/** Opens the checkout of a change, in place of one that is open. Nothing may be under way. */
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
  const open = issueChange(draft, draft.subscriptions.patch(closed.id, { successUrl }), target, terms);
  draft.emit(checkoutReady(draft.customer, open, invoiceOf(draft, open.checkoutInvoiceId)));
  return draft.done('done', open.id, open.checkoutInvoiceId);
}

/**
 * The open checkout of a change in the market and currency of the payer's country, with its tax: where those
 * are others than before, its invoice is voided and issued again at the price found there (CAT-27, BIL-20).
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
  const closed = closeChangeCheckout(draft, subscription);
  if (quoted !== null) quote(draft, closed, quoted, kept);
  return issueChange(draft, closed, target, quoted);
}

/** The rejection of a promo code at the checkout of a change: codes are for new subscriptions (OFR-36). */
export const noCodeForChange: Rejection = specificRejection('offer_not_applicable', 'plan_change', {
  param: 'promoCode',
  details: { reason: 'plan_change' },
});
