import type { BillingInterval } from '../../enums.ts';
import { type Rejection, specificRejection } from '../../errors.ts';
import type { Language } from '../../page-language.ts';
import { type PriceFailure, priceAt, type ResolvedPrice, selectPriceRow } from '../../pricing/resolve.ts';
import { isCurrencyFixed, openPayment, reissue } from '../invoicing/checkout-pricing.ts';
import { undiscounted } from '../invoicing/reprice.ts';
import { voidInvoice } from '../invoicing/settling.ts';
import { type Bought, boughtAt } from '../lifecycle/create.ts';
import { invoiceOf, isCharging, planOf, quotedOffer } from '../pricing/lookup.ts';
import { trialDaysOf } from '../pricing/offering.ts';
import { dropQuote, quote } from '../pricing/quotes.ts';
import { seatRateRejection } from '../pricing/seats.ts';
import { seatsRejection } from '../pricing/selection.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, priceRejection, statusRejection } from '../state/rejections.ts';
import type { SeatCounts, SubscriptionRow } from '../state/rows.ts';
import type { OfferControls } from '../state/selection-rows.ts';

type Input = OnSubscription & {
  /** Another interval of the plan; null to keep the present one. */
  readonly billingInterval: BillingInterval | null;
  /** Seats by feature code; those of other features stay. */
  readonly seats: SeatCounts | null;
  /** Another language of the page; null to keep the present one. */
  readonly locale: Language | null;
  /** What the checkout is quoted with, as it was read before; read for the decision. */
  readonly quoted: OfferControls;
};

/**
 * Changes what an open checkout is for: its interval, its seats, its language. The first invoice and the quote are made again at the
 * other price; the terms that were chosen before have to hold for it. Rejects a checkout whose terms are settled, and one that is being paid (SUB-14a).
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
    const spoken =
      locale === null || locale === subscription.selection.locale
        ? subscription
        : draft.subscriptions.patch(subscription.id, { selection: { ...subscription.selection, locale } });
    const { billingInterval, seats } = chosen(spoken, input);
    if (billingInterval === null && seats === null)
      return draft.done('done', spoken.id, spoken.checkoutInvoiceId);
    if (isCurrencyFixed(spoken) || spoken.priceId === null) return draft.reject(settledTerms);
    if (spoken.pendingCheckout !== null || isCharging(draft, spoken)) return draft.reject(chargeInProgress);
    const order = { ...spoken, initialSeats: seats ?? spoken.initialSeats };
    const price = priceOf(draft, spoken, billingInterval);
    if ('failure' in price) return draft.reject(priceRejection(price.failure));
    const bought = boughtAnew(draft, order, price);
    return 'code' in bought ? draft.reject(bought) : replaceOrder(draft, order, billingInterval, bought);
  },
});

/** The rejection of a checkout that continues what began before: its price and seats are settled. */
const settledTerms: Rejection = specificRejection('invalid_subscription_status', 'checkout_settled');

/** What differs from what is chosen already; null for what stays. */
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

/** The price of another interval, where the payer is; that of the checkout as it was issued where the interval stays (SUB-20). */
function priceOf(
  draft: Draft,
  subscription: SubscriptionRow,
  billingInterval: BillingInterval | null,
): ResolvedPrice | PriceFailure {
  if (billingInterval === null) return undiscounted(draft, subscription);
  const { catalog } = draft.aggregate;
  // A price that was chosen by name is not left for another one.
  if (subscription.selection.priceId !== null) return { failure: 'price_not_found' };
  const row = selectPriceRow(catalog, subscription.planId, { billingInterval });
  const { marketId: market, currency } = subscription;
  return 'failure' in row ? row : priceAt(catalog, row, draft.dueAt, { market, currency });
}

/** The price with the terms of the checkout, or why they or the seats cannot be had at it. */
function boughtAnew(draft: Draft, order: SubscriptionRow, price: ResolvedPrice): Bought | Rejection {
  const { catalog } = draft.aggregate;
  const [plan, seats] = [planOf(draft, order), order.initialSeats];
  return (
    seatsRejection(catalog, plan, seats, draft.dueAt, 'seats') ??
    seatRateRejection(catalog, plan.id, seats, price.currency, draft.dueAt) ??
    boughtAt(draft, controlsOf(draft, order), { plan, price, seats })
  );
}

/** What settles the terms: the quote, where one was put on since; nothing, where it was taken off; else the choices of the creating call. */
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

/** Quotes the order again and issues its first invoice again, or none where a trial comes first. */
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
        : reissue(draft, open, price, terms);
  return draft.done('done', id, checkoutInvoiceId);
}

/** The checkout over nothing to pay: its first invoice, where it has one, is voided. */
function withoutInvoice(draft: Draft, open: SubscriptionRow): SubscriptionRow {
  if (open.checkoutInvoiceId === null) return open;
  voidInvoice(draft, invoiceOf(draft, open.checkoutInvoiceId));
  return draft.subscriptions.patch(open.id, { checkoutInvoiceId: null, effectiveBaseMinor: 0n });
}
