// What an open checkout costs where its payer is: market and currency are settled again until a first checkout completes (CAT-27, CAT-31).
import type { Refusal } from '../errors.ts';
import { invoiceEvent } from '../payment-events.ts';
import { priceAt, type ResolvedPrice } from '../pricing/resolve.ts';
import { checkoutReady } from '../subscription-events.ts';
import { issueFirstInvoice, voidInvoice } from './invoicing.ts';
import { invoiceOf, quotedOffer } from './lookup.ts';
import { scheduleOverdue } from './notices.ts';
import type { Quoted } from './offering.ts';
import { firstBase } from './priced-base.ts';
import { requote } from './quotes.ts';
import { priceRefusal } from './refusals.ts';
import type { ApplicationPhase, SubscriptionRow } from './rows.ts';
import { seatRateRefusal } from './seats.ts';
import type { Work } from './work.ts';

/** Whether market and currency are fixed: a checkout has completed, by a payment or by the set-up of a trial (CAT-27). */
const isCurrencyFixed = ({ priceId, activatedAt, trialEndsAt }: SubscriptionRow): boolean =>
  priceId !== null && (activatedAt !== null || trialEndsAt !== null);

/**
 * The subscription of an open checkout in the market and currency of the payer's country. Where those are others than before, the first
 * invoice is voided and issued anew at the price found there; otherwise it keeps the amount it was issued with (SUB-20). Refuses with
 * `missing_regional_price` seats that have no unit price there.
 */
export function pricedFor(work: Work, subscription: SubscriptionRow, country: string | null): SubscriptionRow | Refusal {
  const { catalog } = work.aggregate;
  const row = subscription.priceId === null ? undefined : catalog.prices.get(subscription.priceId);
  if (row === undefined || isCurrencyFixed(subscription)) return subscription;
  const price = priceAt(catalog, row, work.dueAt, { country });
  if ('failure' in price) return priceRefusal(price.failure);
  if (price.currency === subscription.currency && price.market === subscription.marketId) return subscription;
  const refusal = seatRateRefusal(catalog, subscription.planId, subscription.initialSeats, price.currency, work.dueAt);
  if (refusal !== null) return refusal;
  const offer = quotedOffer(work, subscription);
  if (offer !== null && price.currency !== subscription.currency && offer.phases.some(isAmount)) return amountElsewhere;
  const moved = work.subscriptions.put({ ...subscription, currency: price.currency, marketId: price.market, updatedAt: work.now });
  if (offer !== null) requote(work, offer, price);
  return moved.checkoutInvoiceId === null ? moved : reissue(work, moved, price, offer);
}

/** Whether a phase is an amount, which holds in one currency only. */
export const isAmount = ({ type }: ApplicationPhase): boolean => type === 'amount_off' || type === 'fixed_price';

/** The refusal of a payer who moves to another currency with terms that are amounts: those are never converted (OFR-6, GLO-12). */
export const amountElsewhere: Refusal = {
  code: 'offer_not_applicable',
  message: 'The offer of the checkout has amounts in the currency of another country.',
  param: 'billingAddress',
  details: { reason: 'currency_not_configured' },
};

/** The open checkout over a new first invoice at a price and terms, the old one voided. Sends the events of both. */
export function reissue(work: Work, subscription: SubscriptionRow, price: ResolvedPrice, terms: Quoted | null): SubscriptionRow {
  voidInvoice(work, invoiceOf(work, subscription.checkoutInvoiceId));
  return issueOver(work, subscription, price, terms).open;
}

/** A checkout that was to store a method becomes one to pay a first invoice at, at the same address. Tells of the invoice and the checkout. */
export function openPayment(work: Work, subscription: SubscriptionRow, price: ResolvedPrice, terms: Quoted | null): SubscriptionRow {
  const { open, invoice } = issueOver(work, subscription, price, terms);
  work.emit(checkoutReady(work.customer, open, invoice));
  return open;
}

function issueOver(work: Work, subscription: SubscriptionRow, price: ResolvedPrice, terms: Quoted | null) {
  const base = firstBase(price.amountMinor, terms);
  const invoice = issueFirstInvoice(work, subscription, price, base);
  const open = work.subscriptions.put({ ...subscription, checkoutInvoiceId: invoice.id, effectiveBaseMinor: base.effectiveMinor });
  scheduleOverdue(work, open, invoice);
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  return { open, invoice };
}
