// How a subscription begins (SUB-6 … SUB-14).

import type { Rejection } from '../../errors.ts';
import { invoiceEvent } from '../../payment-events.ts';
import type { PlanRow } from '../../pricing/catalog.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import {
  checkoutReady,
  stateChanged,
  subscriptionActivated,
  subscriptionCreated,
  trialCheckoutReady,
} from '../../subscription-events.ts';
import { issueFirstInvoice } from '../invoicing/invoicing.ts';
import { belowMinimum, fallsBelowMinimum } from '../invoicing/minimum.ts';
import { chosenTerms, type Terms, trialDaysOf } from '../pricing/offering.ts';
import { basesOf, firstBase } from '../pricing/priced-base.ts';
import { quote } from '../pricing/quotes.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import type { SeatCounts, SubscriptionRow } from '../state/rows.ts';
import type { OfferControls } from '../state/selection-rows.ts';
import { moveSubscription } from '../state/transitions.ts';
import { activate } from './activation.ts';

/** A price and the terms it is bought at. */
export type Bought = { readonly price: ResolvedPrice; readonly terms: Terms | null };

type Wish = { readonly plan: PlanRow; readonly price: ResolvedPrice; readonly seats: SeatCounts };

/** The price with the terms of OFR-26, or why a selection control cannot be honoured (SUB-7, BIL-35). */
export function boughtAt(
  draft: Draft,
  selection: OfferControls,
  { plan, price, seats }: Wish,
): Bought | Rejection {
  const terms = chosenTerms(draft, selection, { planId: plan.id, price, isBeginning: true });
  if (terms === null || 'code' in terms) return terms ?? { price, terms };
  const order = { id: '', planId: plan.id, initialSeats: seats };
  if (!fallsBelowMinimum(draft, order, price, terms)) return { price, terms };
  // The caller did not ask for the introductory offer, so it causes no rejection.
  return terms.source === 'introductory' ? { price, terms: null } : belowMinimum(terms);
}

/**
 * Starts a subscription: active on a free plan, else pending with a checkout to pay or to begin a trial at
 * (SUB-9).
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
  const invoice = issueFirstInvoice(draft, pending, price, base);
  const open = draft.subscriptions.patch(pending.id, {
    checkoutInvoiceId: invoice.id,
    ...basesOf(base),
  });
  scheduleOverdue(draft, open, invoice);
  draft.emit(subscriptionCreated(draft.customer, open, plan));
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  draft.emit(checkoutReady(draft.customer, open, invoice));
  draft.emit(stateChanged(draft.customer, open, 'subscription_created'));
  if (draft.item !== null) draft.item = { ...draft.item, invoiceId: invoice.id };
  return draft.done('done', open.id, invoice.id);
}
