import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { invoiceEvent } from '../../events/payment-events.ts';
import { type PriceFailure, priceAt, type ResolvedPrice, selectPriceRow } from '../../pricing/resolve.ts';
import type { BillingInterval } from '../../rows/enums.ts';
import type { SeatCounts, SubscriptionRow } from '../../rows/rows.ts';
import type { OfferControls } from '../../rows/selection-rows.ts';
import type { Language } from '../../text/language.ts';
import { isCurrencyFixed, openPayment, revise } from '../invoicing/checkout-pricing.ts';
import { parkInvoice } from '../invoicing/open-invoice.ts';
import { undiscounted } from '../invoicing/reprice.ts';
import { type Bought, priceWithOffer } from '../lifecycle/create.ts';
import { invoiceOf, isCharging, planOf, quotedOffer } from '../pricing/lookup.ts';
import { trialDaysOf } from '../pricing/offering.ts';
import { dropQuote, quote } from '../pricing/quotes.ts';
import { seatRateRejection } from '../pricing/seats.ts';
import { seatsRejection } from '../pricing/selection.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, priceRejection, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  /** Billing interval to switch to. `null` doesn't change the interval. */
  readonly billingInterval: BillingInterval | null;
  /** Seats by feature code. Features that aren't included don't change. */
  readonly seats: SeatCounts | null;
  /** Language to switch to. `null` doesn't change the language. */
  readonly locale: Language | null;
  /** Offer of the current quote. Read before the decision, so that its catalog rows are loaded. */
  readonly quoted: OfferControls;
};

/**
 * Changes the interval, seats, or language of an open checkout. Reprices the first invoice and the quote. Fails if the
 * chosen offer isn't available at the new price, if a payment is in progress, or if the checkout continues an earlier
 * subscription (SUB-14a).
 */
export const checkoutUpdate = subscriptionCommand({
  kind: 'checkout.update',
  needs: ({ subscriptionId, seats, quoted }: Input) => ({
    featureCodes: Object.keys(seats ?? {}),
    offers: [quoted],
    offersSelectedBy: [subscriptionId],
  }),
  decide(draft: Draft, subscription: SubscriptionRow, input: Input): Decision {
    const rejection = statusRejection('checkout', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const { locale } = input;
    const localized =
      locale === null || locale === subscription.selection.locale
        ? subscription
        : draft.subscriptions.patch(subscription.id, { selection: { ...subscription.selection, locale } });
    const { billingInterval, seats } = chosen(localized, input);
    if (billingInterval === null && seats === null)
      return draft.done('done', localized.id, localized.checkoutInvoiceId);
    if (isCurrencyFixed(localized) || localized.priceId === null) return draft.reject(settledTerms);
    if (localized.pendingCheckout !== null || isCharging(draft, localized))
      return draft.reject(chargeInProgress);
    const order = { ...localized, initialSeats: seats ?? localized.initialSeats };
    const price = priceOf(draft, localized, billingInterval);
    if ('failure' in price) return draft.reject(priceRejection(price.failure));
    const bought = repriced(draft, order, price);
    return 'code' in bought ? draft.reject(bought) : replaceOrder(draft, order, billingInterval, bought);
  },
});

/**
 * Rejection for a change to a checkout that continues an earlier subscription, because the price and seats of
 * such a checkout are fixed.
 */
const settledTerms: Rejection = specificRejection('invalid_subscription_status', 'checkout_settled');

/** Returns the values that differ from the current selection. Unchanged values are `null`. */
function chosen(
  { billingInterval, initialSeats }: SubscriptionRow,
  input: Input,
): { readonly billingInterval: BillingInterval | null; readonly seats: SeatCounts | null } {
  const isOther = Object.entries(input.seats ?? {}).some(([code, count]) => initialSeats[code] !== count);
  return {
    billingInterval: input.billingInterval === billingInterval ? null : input.billingInterval,
    seats: isOther ? { ...initialSeats, ...input.seats } : null,
  };
}

/**
 * Returns the price of the requested interval for the payer's market and currency. If the interval doesn't change,
 * returns the price that the checkout was issued with (SUB-20).
 */
function priceOf(
  draft: Draft,
  subscription: SubscriptionRow,
  billingInterval: BillingInterval | null,
): ResolvedPrice | PriceFailure {
  if (billingInterval === null) return undiscounted(draft, subscription);
  const { catalog } = draft.aggregate;
  // A price that was selected by ID can't be replaced.
  if (subscription.selection.priceId !== null) return { failure: 'price_not_found' };
  const row = selectPriceRow(catalog, subscription.planId, { billingInterval });
  const { marketId: market, currency } = subscription;
  return 'failure' in row ? row : priceAt(catalog, row, draft.dueAt, { market, currency });
}

/**
 * Returns the price and terms of the changed checkout. Returns a rejection if the offer or seats aren't
 * available at the price.
 */
function repriced(draft: Draft, order: SubscriptionRow, price: ResolvedPrice): Bought | Rejection {
  const { catalog } = draft.aggregate;
  const [plan, seats] = [planOf(draft, order), order.initialSeats];
  return (
    seatsRejection(catalog, plan, seats, draft.dueAt, 'seats') ??
    seatRateRejection(catalog, plan.id, seats, price, draft.dueAt, 'seats') ??
    priceWithOffer(draft, controlsOf(draft, order), { plan, price, seats })
  );
}

/**
 * Returns the offer choice of the checkout: the current quote, no offer if the quote was removed, otherwise
 * the choice made at creation.
 */
function controlsOf(draft: Draft, { id, selection }: SubscriptionRow): OfferControls {
  const applications = draft.offerApplications.all().filter(({ subscriptionId }) => subscriptionId === id);
  const quoted = applications.find(({ status }) => status === 'quoted');
  if (quoted === undefined) return applications.length > 0 ? { skipTrial: true } : selection;
  const { source, offerId, promoCodeId, cardPromotionId } = quoted;
  if (source === 'direct') return { offerId };
  if (source === 'card_promotion') return { cardPromotionId };
  if (source !== 'promo_code') return selection;
  return { promoCode: draft.aggregate.promoCodes.find((row) => row.id === promoCodeId)?.code ?? '' };
}

/** Replaces the quote and revises the first invoice. If the subscription starts with a trial, turns the invoice into an empty draft. */
function replaceOrder(
  draft: Draft,
  order: SubscriptionRow,
  billingInterval: BillingInterval | null,
  { price, terms }: Bought,
): Decision {
  const quoted = quotedOffer(draft, order);
  if (quoted !== null) dropQuote(draft, quoted, 'expired');
  const { selection } = order;
  const open = draft.subscriptions.patch(order.id, {
    priceId: price.price.id,
    billingInterval: price.price.billingInterval,
    currency: price.currency,
    marketId: price.market,
    initialSeats: order.initialSeats,
    selection: billingInterval === null ? selection : { ...selection, billingInterval },
    updatedAt: draft.now,
  });
  if (terms !== null) quote(draft, open, terms, price, quoted?.expiresAt ?? null);
  const { id, checkoutInvoiceId } =
    trialDaysOf(terms?.phases ?? []) > 0
      ? withoutInvoice(draft, open)
      : open.checkoutInvoiceId === null
        ? openPayment(draft, open, price, terms)
        : revise(draft, open, price, terms);
  return draft.done('done', id, checkoutInvoiceId);
}

/** Turns the first invoice of the checkout, if any, into an empty draft. Returns the subscription, which then has no first invoice. */
function withoutInvoice(draft: Draft, open: SubscriptionRow): SubscriptionRow {
  if (open.checkoutInvoiceId === null) return open;
  const parked = parkInvoice(draft, invoiceOf(draft, open.checkoutInvoiceId));
  draft.emit(invoiceEvent('invoice.updated', draft.customer, parked));
  return draft.subscriptions.patch(open.id, { checkoutInvoiceId: null, effectiveBaseMinor: 0n });
}
