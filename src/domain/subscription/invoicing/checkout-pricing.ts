// Price of an open checkout for the payer's location. The market and currency can change until the first
// checkout completes (CAT-27, CAT-31).
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { invoiceEvent } from '../../events/payment-events.ts';
import { checkoutReady } from '../../events/subscription-events.ts';
import { priceAt, type ResolvedPrice } from '../../pricing/resolve.ts';
import type { ApplicationPhase, InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { invoiceOf, quotedOffer } from '../pricing/lookup.ts';
import type { Quoted } from '../pricing/offering.ts';
import { basesOf, firstBase } from '../pricing/priced-base.ts';
import { requote } from '../pricing/quotes.ts';
import { seatRateRejection } from '../pricing/seats.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import { issueFirstInvoice } from './invoicing.ts';
import { parkedInvoice } from './open-invoice.ts';

/**
 * Returns true if the market and currency are fixed because a checkout completed, with a payment or with the
 * setup of a trial (CAT-27).
 */
export const isCurrencyFixed = ({ priceId, activatedAt, trialEndsAt }: SubscriptionRow): boolean =>
  priceId !== null && (activatedAt !== null || trialEndsAt !== null);

/**
 * Returns the subscription of an open checkout, priced in the market and currency of the payer's country. If the
 * market or currency changed, reprices the first invoice; otherwise keeps the invoice's amount (SUB-20). Fails with
 * `missing_regional_price` if seats have no unit price in the new currency.
 */
export function pricedFor(
  draft: Draft,
  subscription: SubscriptionRow,
  country: string | null,
): SubscriptionRow | Rejection {
  const { catalog } = draft.aggregate;
  const row = subscription.priceId === null ? undefined : catalog.prices.get(subscription.priceId);
  if (row === undefined || isCurrencyFixed(subscription)) return subscription;
  const price = priceAt(catalog, row, draft.dueAt, { country });
  if ('failure' in price) return priceRejection(price.failure);
  if (price.currency === subscription.currency && price.market === subscription.marketId) return subscription;
  const rejection = seatRateRejection(
    catalog,
    subscription.planId,
    subscription.initialSeats,
    price,
    draft.dueAt,
  );
  if (rejection !== null) return rejection;
  const offer = quotedOffer(draft, subscription);
  if (offer !== null && price.currency !== subscription.currency && offer.phases.some(isAmount))
    return amountElsewhere;
  const moved = draft.subscriptions.patch(subscription.id, {
    currency: price.currency,
    marketId: price.market,
    updatedAt: draft.now,
  });
  if (offer !== null) requote(draft, offer, price);
  return moved.checkoutInvoiceId === null ? moved : revise(draft, moved, price, offer);
}

/** Returns true if the value of a phase is an amount, which is valid in only one currency. */
export const isAmount = ({ type }: ApplicationPhase): boolean =>
  type === 'amount_off' || type === 'fixed_price';

/**
 * Rejection for a currency change if the offer contains amounts, because amounts are never converted
 * (OFR-6, GLO-12).
 */
export const amountElsewhere: Rejection = specificRejection('offer_not_applicable', 'other_currency', {
  param: 'billingAddress',
  details: { reason: 'currency_not_configured' },
});

/** Revises the first invoice of an open checkout with a new price and offer. Emits `invoice.updated`. */
export function revise(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  terms: Quoted | null,
): SubscriptionRow {
  const invoice = invoiceOf(draft, subscription.checkoutInvoiceId);
  return issueOver(draft, subscription, price, terms, invoice).open;
}

/**
 * Turns a checkout that only stores a payment method into one that charges a first invoice. The URL doesn't change.
 * Reuses the checkout's draft invoice, if any. Emits the events of the invoice and the checkout.
 */
export function openPayment(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  terms: Quoted | null,
): SubscriptionRow {
  const parked = parkedInvoice(draft, subscription);
  const { open, invoice } = issueOver(draft, subscription, price, terms, parked);
  draft.emit(checkoutReady(draft.customer, open, invoice));
  return open;
}

function issueOver(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  terms: Quoted | null,
  revised: InvoiceRow | null,
) {
  const base = firstBase(price.amountMinor, terms);
  const invoice = issueFirstInvoice(draft, subscription, price, base, revised);
  const open = draft.subscriptions.patch(subscription.id, {
    checkoutInvoiceId: invoice.id,
    ...basesOf(base),
  });
  draft.emit(invoiceEvent(revised === null ? 'invoice.created' : 'invoice.updated', draft.customer, invoice));
  return { open, invoice };
}
