// What an open checkout costs where its payer is: market and currency are settled again until a first
// checkout completes (CAT-27, CAT-31).
import { type Rejection, specificRejection } from '../../errors.ts';
import { invoiceEvent } from '../../payment-events.ts';
import { priceAt, type ResolvedPrice } from '../../pricing/resolve.ts';
import { checkoutReady } from '../../subscription-events.ts';
import { invoiceOf, quotedOffer } from '../pricing/lookup.ts';
import type { Quoted } from '../pricing/offering.ts';
import { basesOf, firstBase } from '../pricing/priced-base.ts';
import { requote } from '../pricing/quotes.ts';
import { seatRateRejection } from '../pricing/seats.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import type { ApplicationPhase, SubscriptionRow } from '../state/rows.ts';
import { issueFirstInvoice } from './invoicing.ts';
import { voidInvoice } from './settling.ts';

/**
 * Whether market and currency are fixed: a checkout has completed, by a payment or by the set-up of a trial
 * (CAT-27).
 */
export const isCurrencyFixed = ({ priceId, activatedAt, trialEndsAt }: SubscriptionRow): boolean =>
  priceId !== null && (activatedAt !== null || trialEndsAt !== null);

/**
 * The subscription of an open checkout in the market and currency of the payer's country. Where those are
 * others than before, the first invoice is voided and issued again at the price found there; otherwise it
 * keeps the amount it was issued with (SUB-20). Rejects with `missing_regional_price` seats that have no unit
 * price there.
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
    price.currency,
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
  return moved.checkoutInvoiceId === null ? moved : reissue(draft, moved, price, offer);
}

/** Whether a phase is an amount, which holds in one currency only. */
export const isAmount = ({ type }: ApplicationPhase): boolean =>
  type === 'amount_off' || type === 'fixed_price';

/**
 * The rejection of a payer who moves to another currency with terms that are amounts: those are never
 * converted (OFR-6, GLO-12).
 */
export const amountElsewhere: Rejection = specificRejection('offer_not_applicable', 'other_currency', {
  param: 'billingAddress',
  details: { reason: 'currency_not_configured' },
});

/**
 * The open checkout over a new first invoice at a price and terms, the old one voided. Sends the events of
 * both.
 */
export function reissue(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  terms: Quoted | null,
): SubscriptionRow {
  voidInvoice(draft, invoiceOf(draft, subscription.checkoutInvoiceId));
  return issueOver(draft, subscription, price, terms).open;
}

/**
 * A checkout that was to store a method becomes one to pay a first invoice at, at the same address. Emits the
 * events of the invoice and the checkout.
 */
export function openPayment(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  terms: Quoted | null,
): SubscriptionRow {
  const { open, invoice } = issueOver(draft, subscription, price, terms);
  draft.emit(checkoutReady(draft.customer, open, invoice));
  return open;
}

function issueOver(draft: Draft, subscription: SubscriptionRow, price: ResolvedPrice, terms: Quoted | null) {
  const base = firstBase(price.amountMinor, terms);
  const invoice = issueFirstInvoice(draft, subscription, price, base);
  const open = draft.subscriptions.patch(subscription.id, {
    checkoutInvoiceId: invoice.id,
    ...basesOf(base),
  });
  scheduleOverdue(draft, open, invoice);
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  return { open, invoice };
}
