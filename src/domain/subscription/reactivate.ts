// A subscription runs again: a past-due one over its outstanding invoice, a canceled one over a new invoice and period (SUB-30 to SUB-34).
import type { Refusal } from '../errors.ts';
import { invoiceEvent, paymentReceived } from '../payment-events.ts';
import { earlier } from '../period.ts';
import type { ResolvedPrice } from '../pricing/resolve.ts';
import { stateChanged, subscriptionActivated } from '../subscription-events.ts';
import { acceptQuote } from './acceptance.ts';
import type { Decision, ReactivateCommand } from './aggregate.ts';
import { openCounts, resetPools } from './allowance.ts';
import { trialRefusal } from './apply-offer.ts';
import { advanceRefusal } from './arrears.ts';
import { openingCadence } from './cadence.ts';
import { requestCharge } from './charging.ts';
import { endSubscription } from './ending.ts';
import { isBelowMinimum, issueReactivation, type SettledBy, settleBy, voidInvoice } from './invoicing.ts';
import { boundPrice, hasOpenDispute, isCharging, methodOf, planOf, quotedOffer } from './lookup.ts';
import { directTerms, notApplicable, type Terms } from './offering.ts';
import { openedPeriod, schedulePeriod } from './periods.ts';
import { firstBase } from './priced-base.ts';
import { dropQuote, quote } from './quotes.ts';
import { chargeInProgress, openDisputeRefusal, priceRefusal, statusRefusal } from './refusals.ts';
import { retry } from './retry.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from './rows.ts';
import { blockingStatuses, moveSubscription } from './state.ts';
import type { Work } from './work.ts';

/**
 * Charges what a past-due subscription owes, using up a dunning slot when declined, or starts a canceled one anew. A decline, or no stored
 * method, is refused and keeps the new invoice to be paid at the recovery page (SUB-32).
 */
export function reactivate(work: Work, subscription: SubscriptionRow, { offerId }: ReactivateCommand): Decision {
  const refusal = statusRefusal('reactivate', subscription);
  if (refusal !== null) return work.refuse(refusal);
  if (hasOpenDispute(work, subscription)) return work.refuse(openDisputeRefusal);
  if (subscription.status === 'canceled') return restart(work, subscription, offerId);
  if (offerId === null) return retry(work, subscription);
  return work.refuse(notApplicable('What is past due is collected as it was issued.', 'offerId', 'past_due'));
}

function restart(work: Work, subscription: SubscriptionRow, offerId: string | null): Decision {
  const refusal = restartRefusal(work, subscription) ?? advanceRefusal(work, asOpened(work, subscription));
  if (refusal !== null) return work.refuse(refusal);
  if (subscription.priceId === null) return restartFree(work, subscription, offerId);
  const price = boundPrice(work, subscription);
  if ('failure' in price) return work.refuse(priceRefusal(price.failure));
  const use = { planId: subscription.planId, price, isBeginning: true };
  const terms = offerId === null ? null : (trialRefusal(work, offerId) ?? directTerms(work, offerId, use));
  if (terms !== null && 'code' in terms) return work.refuse(terms);
  return collect(work, subscription, issue(work, subscription, price, terms));
}

/** Why a canceled subscription cannot start anew, or null: the checks of SUB-31 and SUB-33 in their order. */
export function restartRefusal(work: Work, subscription: SubscriptionRow): Refusal | null {
  const { activatedAt, trialEndsAt, billingInterval, cancelReason } = subscription;
  if (activatedAt === null && trialEndsAt === null) {
    return { code: 'invalid_subscription_status', message: 'The subscription ended before it had ever begun; create another one.' };
  }
  const others = work.subscriptions.all().filter(({ id }) => id !== subscription.id);
  const blocking = others.find(({ status }) => blockingStatuses.includes(status));
  if (blocking !== undefined) {
    return { code: 'already_has_active_subscription', message: `The customer has the subscription ${blocking.id}.` };
  }
  if ([subscription, ...others].some((one) => isCharging(work, one))) return chargeInProgress;
  const isReturned = billingInterval === 'one_time' && cancelReason === 'refund';
  const isGone = planOf(work, subscription).deletedAt !== null || isReturned;
  return isGone ? { code: 'plan_unavailable', message: 'The plan of the subscription cannot be chosen any more.' } : null;
}

/** The subscription as it will be in the period that opens, for what that is charged in advance. */
const asOpened = (work: Work, subscription: SubscriptionRow): SubscriptionRow => ({
  ...subscription,
  ...openedPeriod(subscription, work.now),
  status: 'active',
});

function restartFree(work: Work, subscription: SubscriptionRow, offerId: string | null): Decision {
  if (offerId !== null) return work.refuse(notApplicable('A free plan takes no offer.', 'offerId', 'free_plan'));
  const active = run(work, subscription);
  announce(work, active, null, null);
  return work.done('done', active.id);
}

/** Issues the invoice of a new start in place of one of an earlier attempt, and quotes the offer with it. */
function issue(work: Work, subscription: SubscriptionRow, price: ResolvedPrice, terms: Terms | null): InvoiceRow {
  for (const older of work.invoices.all()) if (isReactivation(subscription, older)) voidInvoice(work, older);
  const quoted = quotedOffer(work, subscription);
  if (quoted !== null) dropQuote(work, quoted, 'expired');
  if (terms !== null) quote(work, subscription, terms, price);
  const base = firstBase(price.amountMinor, terms);
  work.subscriptions.put({ ...subscription, effectiveBaseMinor: base.effectiveMinor, updatedAt: work.now });
  return issueReactivation(work, asOpened(work, subscription), price, base);
}

/** Whether an invoice waits to start this subscription anew. */
export const isReactivation = ({ id }: SubscriptionRow, { subscriptionId, type, status }: InvoiceRow): boolean =>
  subscriptionId === id && type === 'reactivation' && status === 'outstanding';

function collect(work: Work, { id }: SubscriptionRow, invoice: InvoiceRow): Decision {
  const subscription = work.subscriptions.find(id);
  if (subscription === null) throw new Error(`The subscription ${id} is gone.`);
  if (isBelowMinimum(work, subscription, invoice)) {
    reactivated(work, subscription, invoice, 'nothing');
    return work.done('done', id, invoice.id);
  }
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  const method = methodOf(work, subscription);
  if (method === null) return work.refuse({ code: 'no_payment_method', message: 'No payment method is stored.' });
  requestCharge(work, subscription, invoice, method, false);
  return work.done('charging', id, invoice.id);
}

/** The invoice of a new start is settled: the subscription runs from today (SUB-31). */
export function reactivated(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, by: SettledBy): void {
  const transaction = typeof by === 'object' ? by : null;
  const settled = settleBy(work, invoice, by);
  const active = run(work, subscription);
  const periods = { periodStart: active.periodStart ?? settled.periodStart, periodEnd: active.periodEnd ?? settled.periodEnd };
  const paid = work.invoices.put({ ...settled, ...periods });
  acceptQuote(work, active);
  if (by === 'nothing') work.emit(invoiceEvent('invoice.created', work.customer, paid));
  if (transaction !== null) work.emit(paymentReceived(work.customer, paid, transaction));
  announce(work, active, paid, transaction);
}

function announce(work: Work, active: SubscriptionRow, invoice: InvoiceRow | null, transaction: TransactionRow | null): void {
  const provider = transaction?.provider ?? null;
  work.emit(subscriptionActivated(work.customer, active, invoice, provider, 'subscription.reactivated'));
  work.emit(stateChanged(work.customer, active, 'subscription_activated'));
}

/** Puts a canceled subscription in force with a period that opens today: what it held of counts stays, allowances begin anew. */
function run(work: Work, subscription: SubscriptionRow): SubscriptionRow {
  for (const other of work.subscriptions.all()) {
    // An open checkout of the customer does not stand in the way, and can no longer be paid.
    if (other.status === 'pending_payment') endSubscription(work, other, { reason: 'replaced', canceledAt: work.now, endDate: work.now });
  }
  const { trialEndsAt } = subscription;
  const active = work.subscriptions.put(
    moveSubscription(subscription, 'active', {
      ...openedPeriod(subscription, work.now, openingCadence(work, subscription)),
      activatedAt: subscription.activatedAt ?? work.now,
      trialEndsAt: trialEndsAt === null ? null : earlier(trialEndsAt, work.now),
      endDate: null,
      cancelAtPeriodEnd: false,
      cancellationScheduledAt: null,
      cancelReason: null,
      cancelEffectiveAt: null,
      canceledAt: null,
      dunningInvoiceId: null,
      dunningStartedAt: null,
      dunningAttempts: 0,
      pendingCheckout: null,
      updatedAt: work.now,
    }),
  );
  openCounts(work, active);
  resetPools(work, active, false);
  schedulePeriod(work, active);
  return active;
}
