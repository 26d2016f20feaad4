// A free subscription moves to a paid plan through the hosted checkout (SUB-47): until it is paid, nothing of it changes.
import type { Refusal } from '../errors.ts';
import { invoiceEvent } from '../payment-events.ts';
import { priceAt } from '../pricing/resolve.ts';
import { checkoutReady } from '../subscription-events.ts';
import { isSameTax, untaxed } from '../tax.ts';
import type { Decision } from './aggregate.ts';
import { changeOf, changePurchase, checkoutDraft } from './change-amounts.ts';
import { giveUpChange } from './change-settled.ts';
import { type ChangeTarget, changeScope } from './change-target.ts';
import { asChanged, changedRateRefusal } from './change-terms.ts';
import { abandonAuthentication } from './charging.ts';
import { addInvoice, isBelowMinimum } from './invoicing.ts';
import { invoiceOf, planById, quotedOffer } from './lookup.ts';
import { belowMinimum } from './minimum.ts';
import { scheduleOverdue } from './notices.ts';
import type { Quoted, Terms } from './offering.ts';
import { amountElsewhere, isAmount } from './pricing.ts';
import { quote } from './quotes.ts';
import { priceRefusal } from './refusals.ts';
import type { InvoiceRow, SubscriptionRow } from './rows.ts';
import { customerTax } from './taxing.ts';
import type { Work } from './work.ts';

type Priced = Pick<ChangeTarget, 'plan'> & { readonly price: NonNullable<ChangeTarget['price']> };

/** The invoice a subscription in force waits for to be paid at its checkout; null where it waits for none. */
export function openChange(work: Work, { status, checkoutInvoiceId }: SubscriptionRow): InvoiceRow | null {
  return status === 'active' && checkoutInvoiceId !== null ? invoiceOf(work, checkoutInvoiceId) : null;
}

/** Whether terms bring the total above 0 yet below what can be charged, where it would not be without them (BIL-35). */
function fallsBelowMinimum(work: Work, subscription: SubscriptionRow, target: Priced, terms: Terms): boolean {
  const isBelow = (applied: Terms | null): boolean => {
    const { invoice } = checkoutDraft(work, subscription, target, applied);
    return invoice.total > 0n && isBelowMinimum(work, { planId: target.plan.id }, invoice);
  };
  return isBelow(terms) && !isBelow(null);
}

/** Gives up the change that waits at the checkout, an attempt at it included; the subscription without it, not written. */
export function closeChangeCheckout(work: Work, subscription: SubscriptionRow): SubscriptionRow {
  const invoice = openChange(work, subscription);
  if (invoice === null) return subscription;
  abandonAuthentication(work, subscription.pendingCheckout);
  giveUpChange(work, subscription, invoice);
  return { ...subscription, checkoutInvoiceId: null, pendingCheckout: null };
}

function issueChange(work: Work, subscription: SubscriptionRow, target: Priced, terms: Quoted | null): SubscriptionRow {
  const issued = checkoutDraft(work, subscription, target, terms);
  const purchase = changePurchase(work, subscription, target, terms, true);
  const invoice = addInvoice(work, { ...issued.invoice, purchase }, issued.lines);
  const open = work.subscriptions.put({ ...subscription, checkoutInvoiceId: invoice.id, updatedAt: work.now });
  scheduleOverdue(work, open, invoice);
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  return open;
}

/** Opens the checkout of a change, in place of one that is open. Nothing may be under way. */
export function openChangeCheckout(
  work: Work,
  subscription: SubscriptionRow,
  { terms, ...target }: Priced & Pick<ChangeTarget, 'terms'>,
  successUrl: string | null,
): Decision {
  const refusal = changedRateRefusal(work, asChanged(work, subscription, target));
  if (refusal !== null) return work.refuse(refusal);
  if (terms !== null && fallsBelowMinimum(work, subscription, target, terms)) return work.refuse(belowMinimum(terms));
  const closed = closeChangeCheckout(work, subscription);
  if (terms !== null) quote(work, closed, terms, target.price);
  const open = issueChange(work, { ...closed, successUrl }, target, terms);
  work.emit(checkoutReady(work.customer, open, invoiceOf(work, open.checkoutInvoiceId)));
  return work.done('done', open.id, open.checkoutInvoiceId);
}

/**
 * The open checkout of a change in the market and currency of the payer's country, with its tax: where those are others than before, its invoice
 * is voided and issued anew at the price found there (CAT-27, BIL-20).
 */
export function changeLocated(
  work: Work,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  country: string | null,
): SubscriptionRow | Refusal {
  const change = changeOf(invoice);
  const row = change === null ? undefined : work.aggregate.catalog.prices.get(change.priceId);
  if (change === null || row === undefined) throw new Error(`The invoice ${invoice.id} changes to no price of the catalogue.`);
  const scope = changeScope(work, subscription);
  const price = priceAt(work.aggregate.catalog, row, work.dueAt, 'country' in scope ? { country } : scope);
  if ('failure' in price) return priceRefusal(price.failure);
  const isSamePlace = price.currency === change.currency && price.market === change.marketId;
  if (isSamePlace && isSameTax(invoice.tax ?? untaxed, customerTax(work))) return subscription;
  const kept = isSamePlace ? { ...price, amountMinor: BigInt(change.priceMinor) } : price;
  const target = { plan: planById(work, change.toPlanId), price: kept };
  const refusal = changedRateRefusal(work, asChanged(work, subscription, target));
  if (refusal !== null) return refusal;
  const quoted = quotedOffer(work, subscription);
  if (quoted !== null && price.currency !== change.currency && quoted.phases.some(isAmount)) return amountElsewhere;
  const closed = closeChangeCheckout(work, subscription);
  if (quoted !== null) quote(work, closed, quoted, kept);
  return issueChange(work, closed, target, quoted);
}

/** The refusal of a promo code at the checkout of a change: codes are for new subscriptions (OFR-36). */
export const noCodeForChange: Refusal = {
  code: 'offer_not_applicable',
  message: 'A promo code cannot be used for a change of plan.',
  param: 'promoCode',
  details: { reason: 'plan_change' },
};
