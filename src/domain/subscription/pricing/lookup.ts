import type { ReturnedCharge } from '../../payment-events.ts';
import type { PlanRow } from '../../pricing/catalog.ts';
import { type PriceFailure, priceAt, type ResolvedPrice } from '../../pricing/resolve.ts';
import type { Draft } from '../state/draft.ts';
import type {
  InvoiceRow,
  OfferApplicationRow,
  PaymentMethodRow,
  SubscriptionRow,
  TransactionRow,
} from '../state/rows.ts';
import { trialDaysOf } from './offering.ts';

/** A plan, deleted or not. Throws when the catalog lacks it, which a foreign key rules out. */
export function planById(draft: Draft, id: string): PlanRow {
  const plan = draft.aggregate.catalog.plans.get(id);
  if (plan === undefined) throw new Error(`The plan ${id} is not in the catalog.`);
  return plan;
}

/** The plan of a subscription. */
export const planOf = (draft: Draft, { planId }: Pick<SubscriptionRow, 'planId'>): PlanRow =>
  planById(draft, planId);

/**
 * What the price a subscription is bound to costs at the due instant, in its own market and currency (CAT-20,
 * CAT-52). Throws without a bound price.
 */
export function boundPrice(draft: Draft, subscription: SubscriptionRow): ResolvedPrice | PriceFailure {
  const price =
    subscription.priceId === null ? undefined : draft.aggregate.catalog.prices.get(subscription.priceId);
  if (price === undefined)
    throw new Error(`The subscription ${subscription.id} is bound to no price of the catalog.`);
  return priceAt(draft.aggregate.catalog, price, draft.dueAt, {
    market: subscription.marketId,
    currency: subscription.currency,
  });
}

/** The methods the customer has stored and not removed, the latest last. */
export const storedMethods = (draft: Draft): PaymentMethodRow[] =>
  draft.paymentMethods.all().filter(({ removedAt }) => removedAt === null);

/** The method a subscription is charged by, or null when none is stored. */
export const methodOf = (
  draft: Draft,
  { paymentMethodId }: Pick<SubscriptionRow, 'paymentMethodId'>,
): PaymentMethodRow | null => storedMethods(draft).find(({ id }) => id === paymentMethodId) ?? null;

/** An invoice that must be in the aggregate. Throws when it is not. */
export function invoiceOf(draft: Draft, invoiceId: string | null): InvoiceRow {
  const invoice = invoiceId === null ? null : draft.invoices.find(invoiceId);
  if (invoice === null) throw new Error(`The invoice ${invoiceId} is not in the aggregate.`);
  return invoice;
}

/** The invoice an attempt is to settle, or null for one without. */
export const invoiceBehind = (draft: Draft, { invoiceId }: TransactionRow): InvoiceRow | null =>
  invoiceId === null ? null : draft.invoices.find(invoiceId);

/** A charge whose money goes back, as events tell of it. */
export const returnedCharge = (draft: Draft, transaction: TransactionRow): ReturnedCharge => ({
  customer: draft.customer,
  invoice: invoiceBehind(draft, transaction),
  transaction,
  paymentLinkId:
    draft.payments.all().find(({ id, kind }) => id === transaction.paymentId && kind === 'link')?.id ?? null,
});

/**
 * A charge of the subscription the gateway has not answered yet; one whose payer owes an authentication is
 * none (BIL-32).
 */
export function chargeUnderWay(
  draft: Draft,
  { id: subscriptionId, pendingCheckout }: SubscriptionRow,
): TransactionRow | null {
  const awaited = pendingCheckout?.state === 'requires_action' ? pendingCheckout.transactionId : null;
  const pending = draft.transactions
    .all()
    .filter((row) => row.status === 'pending' && row.subscriptionId === subscriptionId);
  return pending.find(({ id }) => id !== awaited) ?? null;
}

/**
 * Whether anything asked of a gateway for the subscription is unanswered: a charge, or a set-up at the
 * checkout.
 */
export const isCharging = (draft: Draft, subscription: SubscriptionRow): boolean =>
  subscription.pendingCheckout?.state === 'asked' || chargeUnderWay(draft, subscription) !== null;

/** Whether a payment of the subscription is in dispute (SUB-22). */
export const hasOpenDispute = (draft: Draft, { id }: SubscriptionRow): boolean =>
  draft.transactions
    .all()
    .some((row) => row.subscriptionId === id && row.status === 'disputed' && row.disputeOutcome === null);

/** The offer quoted in the open checkout of a subscription. */
export const quotedOffer = (draft: Draft, subscription: SubscriptionRow): OfferApplicationRow | null =>
  draft.offerApplications
    .all()
    .find((row) => row.subscriptionId === subscription.id && row.status === 'quoted') ?? null;

/** Days of the free trial an open checkout leads to; 0 when it leads to a payment. */
export const quotedTrialDays = (draft: Draft, subscription: SubscriptionRow): number =>
  trialDaysOf(quotedOffer(draft, subscription)?.phases ?? []);
