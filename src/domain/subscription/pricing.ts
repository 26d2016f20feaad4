// What an open checkout costs where its payer is: market and currency are settled again until a first checkout completes (CAT-27, CAT-31).
import type { Refusal } from '../errors.ts';
import { invoiceEvent } from '../event-data.ts';
import { priceAt, type ResolvedPrice } from '../pricing/resolve.ts';
import { issuePeriodInvoice, voidInvoice } from './invoicing.ts';
import { invoiceOf, quotedOffer } from './lookup.ts';
import { scheduleOverdue } from './notices.ts';
import { priceRefusal } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import { seatRateRefusal } from './seats.ts';
import type { Work } from './work.ts';

/** Whether market and currency are fixed: a checkout has completed, by a payment or by the set-up of a trial (CAT-27). */
export const isCurrencyFixed = ({ priceId, activatedAt, trialEndsAt }: SubscriptionRow): boolean =>
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
  const moved = work.subscriptions.put({ ...subscription, currency: price.currency, marketId: price.market, updatedAt: work.now });
  const offer = quotedOffer(work, moved);
  if (offer !== null) work.offerApplications.put({ ...offer, currency: price.currency });
  return moved.checkoutInvoiceId === null ? moved : reissued(work, moved, price);
}

function reissued(work: Work, subscription: SubscriptionRow, price: ResolvedPrice): SubscriptionRow {
  voidInvoice(work, invoiceOf(work, subscription.checkoutInvoiceId));
  const invoice = issuePeriodInvoice(work, subscription, price, null);
  const open = work.subscriptions.put({ ...subscription, checkoutInvoiceId: invoice.id, effectiveBaseMinor: price.amountMinor });
  scheduleOverdue(work, open, invoice);
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  return open;
}
