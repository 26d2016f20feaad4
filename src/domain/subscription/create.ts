// A subscription comes into being (SUB-6 … SUB-14), at once or at a later date.

import type { Refusal } from '../errors.ts';
import { invoiceEvent } from '../payment-events.ts';
import type { PlanRow } from '../pricing/catalog.ts';
import type { ResolvedPrice } from '../pricing/resolve.ts';
import { checkoutReady, stateChanged, subscriptionActivated, subscriptionCreated, trialCheckoutReady } from '../subscription-events.ts';
import { activate } from './activation.ts';
import type { CreateCommand, CreateSelection, Decision, StartCommand } from './aggregate.ts';
import { addAccount } from './allowance.ts';
import { deadline } from './deadlines.ts';
import { endSubscription } from './ending.ts';
import { issueFirstInvoice } from './invoicing.ts';
import { isCharging } from './lookup.ts';
import { belowMinimum, fallsBelowMinimum } from './minimum.ts';
import { scheduleOverdue } from './notices.ts';
import { type Controls, chosenTerms, type Terms, trialDaysOf } from './offering.ts';
import { firstBase } from './priced-base.ts';
import { quote } from './quotes.ts';
import { chargeInProgress, problemRefusal } from './refusals.ts';
import type { SeatCounts, StoredSelection, SubscriptionRow } from './rows.ts';
import { seatRateRefusal } from './seats.ts';
import {
  defaultProvider,
  freePlanRefusal,
  isSameRequest,
  laterStart,
  providerRefusal,
  seatsRefusal,
  selectedPlan,
  selectedPrice,
  selectionProblems,
  storedSelection,
} from './selection.ts';
import { blockingStatuses, moveSubscription } from './state.ts';
import type { Work } from './work.ts';

/** Creates a subscription in the status its plan, price and start call for (SUB-9); the first check that fails wins (SUB-7). */
export function create(work: Work, { selection }: CreateCommand): Decision {
  const { catalog, subscriptions } = work.aggregate;
  const problem = problemRefusal(selectionProblems(selection, work.now));
  if (problem !== null) return work.refuse(problem);
  const blocking = subscriptions.find(({ status }) => blockingStatuses.includes(status));
  if (blocking !== undefined) {
    return work.refuse({ code: 'already_has_active_subscription', message: `The customer has the subscription ${blocking.id}.` });
  }
  const plan = selectedPlan(catalog, selection);
  if (plan === null) return work.refuse({ code: 'plan_not_found', message: 'There is no such plan.' });
  const price = plan.isFree ? null : selectedPrice(catalog, plan, selection, work.dueAt, work.customer.country);
  const freeRefusal = plan.isFree ? freePlanRefusal(selection) : null;
  if (freeRefusal !== null) return work.refuse(freeRefusal);
  if (price !== null && 'code' in price) return work.refuse(price);
  const seats = selection.initialSeats ?? {};
  const seatsProblem =
    seatsRefusal(catalog, plan, seats, work.dueAt) ?? seatRateRefusal(catalog, plan.id, seats, price?.currency ?? 'usd', work.dueAt);
  if (seatsProblem !== null) return work.refuse(seatsProblem);
  const bought = price === null ? null : boughtAt(work, selection, { plan, price, seats });
  if (bought !== null && 'code' in bought) return work.refuse(bought);
  const refusal = providerRefusal(selection);
  return refusal === null ? createOrReuse(work, selection, plan, bought) : work.refuse(refusal);
}

/** A price and the terms it is bought at. */
type Bought = { readonly price: ResolvedPrice; readonly terms: Terms | null };

type Wish = { readonly plan: PlanRow; readonly price: ResolvedPrice; readonly seats: SeatCounts };

/** The price with the terms of OFR-26, or why a selection control cannot be honoured (SUB-7, BIL-35). */
function boughtAt(work: Work, selection: Controls, { plan, price, seats }: Wish): Bought | Refusal {
  const terms = chosenTerms(work, selection, { planId: plan.id, price, isBeginning: true });
  if (terms === null || 'code' in terms) return terms ?? { price, terms };
  const order = { id: '', planId: plan.id, initialSeats: seats };
  if (!fallsBelowMinimum(work, order, price, terms)) return { price, terms };
  // Nobody asked for an introductory offer, so nobody is refused because of it.
  return terms.source === 'introductory' ? { price, terms: null } : belowMinimum(terms);
}

function createOrReuse(work: Work, selection: CreateSelection, plan: PlanRow, bought: Bought | null): Decision {
  const price = bought?.price ?? null;
  const stored = storedSelection(selection, plan, work.now);
  const asked = { selection: stored, priceId: price?.price.id ?? null, seats: selection.initialSeats ?? {} };
  const pending = work.aggregate.subscriptions.filter(({ status }) => status === 'pending_payment');
  const same = pending.find((row) => isSameRequest(row, asked));
  if (same !== undefined) return work.done('unchanged', same.id, same.checkoutInvoiceId);
  if (pending.some((row) => isCharging(work, row))) return work.refuse(chargeInProgress);
  for (const row of pending) endSubscription(work, row, { reason: 'replaced', canceledAt: work.now, endDate: work.now });

  const draft = work.subscriptions.add(newSubscription(work, selection, stored, price));
  addAccount(work, draft);
  const start = laterStart(selection.startDate, work.now);
  if (start === null) return begin(work, draft, plan, bought);
  work.schedule(deadline(draft, 'start', start));
  return work.done('done', draft.id);
}

function newSubscription(work: Work, selection: CreateSelection, stored: StoredSelection, price: ResolvedPrice | null): SubscriptionRow {
  return {
    id: work.newId('sub'),
    seq: null,
    customerId: work.customer.id,
    planId: stored.planId,
    priceId: price?.price.id ?? null,
    name: selection.name ?? null,
    description: selection.description ?? null,
    status: 'draft',
    billingInterval: price?.price.billingInterval ?? null,
    currency: price?.currency ?? 'usd',
    marketId: price?.market ?? null,
    provider: price === null ? null : (stored.provider ?? defaultProvider),
    paymentMethodId: null,
    startDate: laterStart(selection.startDate, work.now) ?? work.now,
    endDate: null,
    anchorDate: null,
    periodStart: null,
    periodEnd: null,
    windowStart: null,
    windowEnd: null,
    trialEndsAt: null,
    termsFrom: null,
    grantedPlanId: null,
    grantedReleaseSeq: null,
    effectiveBaseMinor: 0n,
    cancelAtPeriodEnd: false,
    cancellationScheduledAt: null,
    cancelReason: null,
    cancelEffectiveAt: null,
    canceledAt: null,
    activatedAt: null,
    checkoutInvoiceId: null,
    dunningInvoiceId: null,
    dunningStartedAt: null,
    dunningAttempts: 0,
    selection: stored,
    initialSeats: selection.initialSeats ?? {},
    scheduledChange: null,
    pendingCheckout: null,
    successUrl: selection.successUrl ?? null,
    createdAt: work.now,
    updatedAt: work.now,
  };
}

/** Begins a draft whose date has come; its price is resolved at that moment (SUB-10). A refusal leaves it a draft and fails the deadline. */
export function start(work: Work, subscription: SubscriptionRow, command: StartCommand): Decision {
  if (subscription.status !== 'draft') {
    work.complete(command);
    return work.done('unchanged', subscription.id);
  }
  const { catalog } = work.aggregate;
  const { selection } = subscription;
  const plan = selectedPlan(catalog, { planId: selection.planId });
  if (plan === null) return work.refuse({ code: 'plan_not_found', message: 'The plan was deleted before the subscription began.' });
  const price = plan.isFree ? null : selectedPrice(catalog, plan, selection, work.dueAt, work.customer.country);
  if (price !== null && 'code' in price) return work.refuse(price);
  const refusal =
    seatsRefusal(catalog, plan, subscription.initialSeats, work.dueAt) ??
    seatRateRefusal(catalog, plan.id, subscription.initialSeats, price?.currency ?? 'usd', work.dueAt);
  if (refusal !== null) return work.refuse(refusal);
  const bought = price === null ? null : boughtAt(work, selection, { plan, price, seats: subscription.initialSeats });
  if (bought !== null && 'code' in bought) return work.refuse(bought);
  work.complete(command);
  work.item = { outcome: 'started', invoiceId: null, detail: null };
  const bound = {
    priceId: price?.price.id ?? null,
    billingInterval: price?.price.billingInterval ?? null,
    currency: price?.currency ?? 'usd',
    marketId: price?.market ?? null,
  };
  return begin(work, work.subscriptions.put({ ...subscription, ...bound }), plan, bought);
}

/** What happens on the first day, case by case (SUB-9). */
function begin(work: Work, draft: SubscriptionRow, plan: PlanRow, bought: Bought | null): Decision {
  if (bought === null) return beginFree(work, draft, plan);
  const { price, terms } = bought;
  const pending = work.subscriptions.put(moveSubscription(draft, 'pending_payment', { updatedAt: work.now }));
  if (terms !== null) quote(work, pending, terms, price);
  const trialDays = trialDaysOf(terms?.phases ?? []);
  return trialDays > 0 ? beginTrial(work, pending, plan, trialDays) : beginPaid(work, pending, plan, bought);
}

function beginFree(work: Work, draft: SubscriptionRow, plan: PlanRow): Decision {
  const active = activate(work, draft);
  work.emit(subscriptionCreated(work.customer, active, plan));
  work.emit(subscriptionActivated(work.customer, active, null, null));
  work.emit(stateChanged(work.customer, active, 'subscription_created'));
  work.emit(stateChanged(work.customer, active, 'subscription_activated'));
  return work.done('done', active.id);
}

function beginTrial(work: Work, pending: SubscriptionRow, plan: PlanRow, trialDays: number): Decision {
  work.emit(subscriptionCreated(work.customer, pending, plan));
  work.emit(trialCheckoutReady(work.customer, pending, plan, trialDays));
  work.emit(stateChanged(work.customer, pending, 'subscription_created'));
  return work.done('done', pending.id);
}

function beginPaid(work: Work, pending: SubscriptionRow, plan: PlanRow, { price, terms }: Bought): Decision {
  const base = firstBase(price.amountMinor, terms);
  const invoice = issueFirstInvoice(work, pending, price, base);
  const open = work.subscriptions.put({ ...pending, checkoutInvoiceId: invoice.id, effectiveBaseMinor: base.effectiveMinor });
  scheduleOverdue(work, open, invoice);
  work.emit(subscriptionCreated(work.customer, open, plan));
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  work.emit(checkoutReady(work.customer, open, invoice));
  work.emit(stateChanged(work.customer, open, 'subscription_created'));
  if (work.item !== null) work.item = { ...work.item, invoiceId: invoice.id };
  return work.done('done', open.id, invoice.id);
}
