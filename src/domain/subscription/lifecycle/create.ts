// Creates and starts subscriptions (SUB-6 … SUB-14).

import type { Rejection } from '../../errors/errors.ts';
import { invoiceEvent } from '../../events/payment-events.ts';
import {
  checkoutReady,
  stateChanged,
  subscriptionActivated,
  subscriptionCreated,
  trialCheckoutReady,
} from '../../events/subscription-events.ts';
import type { PlanRow } from '../../pricing/catalog.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import type { SeatCounts, SubscriptionRow } from '../../rows/rows.ts';
import type { OfferControls } from '../../rows/selection-rows.ts';
import { issueFirstInvoice } from '../invoicing/invoicing.ts';
import { belowMinimum, fallsBelowMinimum } from '../invoicing/minimum.ts';
import { chosenTerms, type Terms, trialDaysOf } from '../pricing/offering.ts';
import { basesOf, firstBase } from '../pricing/priced-base.ts';
import { quote } from '../pricing/quotes.ts';
import { scheduleCheckoutExpiry } from '../schedule/checkout-expiry.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { moveSubscription } from '../state/transitions.ts';
import { activate } from './activation.ts';

/** Price and offer terms of a new subscription. */
export type Bought = { readonly price: ResolvedPrice; readonly terms: Terms | null };

type Selected = { readonly plan: PlanRow; readonly price: ResolvedPrice; readonly seats: SeatCounts };

/**
 * Returns the price together with the offer terms that OFR-26 selects. Returns a rejection if a requested
 * offer doesn't apply (SUB-7, BIL-35).
 */
export function priceWithOffer(
  draft: Draft,
  selection: OfferControls,
  { plan, price, seats }: Selected,
): Bought | Rejection {
  const terms = chosenTerms(draft, selection, { planId: plan.id, price, isBeginning: true });
  if (terms === null || 'code' in terms) return terms ?? { price, terms };
  const order = { id: '', planId: plan.id, initialSeats: seats };
  if (!fallsBelowMinimum(draft, order, price, terms)) return { price, terms };
  // The caller didn't request the introductory offer, so an offer that doesn't apply is omitted instead of
  // rejected.
  return terms.source === 'introductory' ? { price, terms: null } : belowMinimum(terms);
}

/**
 * Starts a subscription. On a free plan it becomes active, otherwise it awaits a checkout for the payment or
 * the trial (SUB-9).
 */
export function begin(
  draft: Draft,
  created: SubscriptionRow,
  plan: PlanRow,
  bought: Bought | null,
): Decision {
  if (bought === null) return beginFree(draft, created, plan);
  const { price, terms } = bought;
  const pending = moveSubscription(draft, created, 'pending_payment', { updatedAt: draft.now });
  if (terms !== null) quote(draft, pending, terms, price);
  scheduleCheckoutExpiry(draft, pending);
  const trialDays = trialDaysOf(terms?.phases ?? []);
  return trialDays > 0
    ? beginTrial(draft, pending, plan, trialDays)
    : beginPaid(draft, pending, plan, bought);
}

function beginFree(draft: Draft, created: SubscriptionRow, plan: PlanRow): Decision {
  const active = activate(draft, created);
  draft.emit(subscriptionCreated(draft.customer, active, plan));
  draft.emit(subscriptionActivated(draft.customer, active, null, null));
  draft.emit(stateChanged(draft.customer, active, 'subscription_created'));
  draft.emit(stateChanged(draft.customer, active, 'subscription_activated'));
  return draft.done('done', active.id);
}

function beginTrial(draft: Draft, pending: SubscriptionRow, plan: PlanRow, trialDays: number): Decision {
  draft.emit(subscriptionCreated(draft.customer, pending, plan));
  draft.emit(trialCheckoutReady(draft.customer, pending, plan, trialDays));
  draft.emit(stateChanged(draft.customer, pending, 'subscription_created'));
  return draft.done('done', pending.id);
}

function beginPaid(
  draft: Draft,
  pending: SubscriptionRow,
  plan: PlanRow,
  { price, terms }: Bought,
): Decision {
  const base = firstBase(price.amountMinor, terms);
  const invoice = issueFirstInvoice(draft, pending, price, base, null);
  const open = draft.subscriptions.patch(pending.id, {
    checkoutInvoiceId: invoice.id,
    ...basesOf(base),
  });
  draft.emit(subscriptionCreated(draft.customer, open, plan));
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  draft.emit(checkoutReady(draft.customer, open, invoice));
  draft.emit(stateChanged(draft.customer, open, 'subscription_created'));
  if (draft.item !== null) draft.item = { ...draft.item, invoiceId: invoice.id };
  return draft.done('done', open.id, invoice.id);
}
