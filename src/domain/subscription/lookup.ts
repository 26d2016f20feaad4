import type { ReturnedCharge } from '../payment-events.ts';
import type { PlanRow } from '../pricing/catalog.ts';
import { type PriceFailure, priceAt, type ResolvedPrice } from '../pricing/resolve.ts';
import { trialDaysOf } from './offering.ts';
import type { InvoiceRow, OfferApplicationRow, PaymentMethodRow, SubscriptionRow, TransactionRow } from './rows.ts';
import type { Work } from './work.ts';

/** A plan, deleted or not. Throws when the catalogue lacks it, which a foreign key rules out. */
export function planById(work: Work, id: string): PlanRow {
  const plan = work.aggregate.catalog.plans.get(id);
  if (plan === undefined) throw new Error(`The plan ${id} is not in the catalogue.`);
  return plan;
}

/** The plan of a subscription. */
export const planOf = (work: Work, { planId }: Pick<SubscriptionRow, 'planId'>): PlanRow => planById(work, planId);

/** What the price a subscription is bound to costs at the due instant, in its own market and currency (CAT-20, CAT-52). Throws without a bound price. */
export function boundPrice(work: Work, subscription: SubscriptionRow): ResolvedPrice | PriceFailure {
  const price = subscription.priceId === null ? undefined : work.aggregate.catalog.prices.get(subscription.priceId);
  if (price === undefined) throw new Error(`The subscription ${subscription.id} is bound to no price of the catalogue.`);
  return priceAt(work.aggregate.catalog, price, work.dueAt, { market: subscription.marketId, currency: subscription.currency });
}

/** The method a subscription is charged by, or null when none is stored. */
export const methodOf = (work: Work, subscription: SubscriptionRow): PaymentMethodRow | null =>
  subscription.paymentMethodId === null ? null : work.paymentMethods.find(subscription.paymentMethodId);

/** An invoice that must be in the aggregate. Throws when it is not. */
export function invoiceOf(work: Work, invoiceId: string | null): InvoiceRow {
  const invoice = invoiceId === null ? null : work.invoices.find(invoiceId);
  if (invoice === null) throw new Error(`The invoice ${invoiceId} is not in the aggregate.`);
  return invoice;
}

/** The invoice an attempt is to settle, or null for one without. */
export const invoiceBehind = (work: Work, { invoiceId }: TransactionRow): InvoiceRow | null =>
  invoiceId === null ? null : work.invoices.find(invoiceId);

/** A charge whose money goes back, as events tell of it. */
export const returnedCharge = (work: Work, transaction: TransactionRow): ReturnedCharge => ({
  customer: work.customer,
  invoice: invoiceBehind(work, transaction),
  transaction,
  paymentLinkId: work.payments.all().find(({ id, kind }) => id === transaction.paymentId && kind === 'link')?.id ?? null,
});

/** A charge of the subscription the gateway has not answered yet; an authentication the payer owes is none (BIL-32). */
export const chargeUnderWay = (work: Work, subscription: SubscriptionRow): TransactionRow | null =>
  subscription.pendingCheckout?.state === 'requires_action'
    ? null
    : (work.transactions.all().find((row) => row.status === 'pending' && row.subscriptionId === subscription.id) ?? null);

/** Whether anything asked of a gateway for the subscription is unanswered: a charge, or a set-up at the checkout. */
export const isCharging = (work: Work, subscription: SubscriptionRow): boolean =>
  subscription.pendingCheckout?.state === 'asked' || chargeUnderWay(work, subscription) !== null;

/** Whether a payment of the subscription is in dispute (SUB-22). */
export const hasOpenDispute = (work: Work, { id }: SubscriptionRow): boolean =>
  work.transactions.all().some((row) => row.subscriptionId === id && row.status === 'disputed' && row.disputeOutcome === null);

/** The offer quoted in the open checkout of a subscription. */
export const quotedOffer = (work: Work, subscription: SubscriptionRow): OfferApplicationRow | null =>
  work.offerApplications.all().find((row) => row.subscriptionId === subscription.id && row.status === 'quoted') ?? null;

/** Days of the free trial an open checkout leads to; 0 when it leads to a payment. */
export const quotedTrialDays = (work: Work, subscription: SubscriptionRow): number =>
  trialDaysOf(quotedOffer(work, subscription)?.phases ?? []);
