import type { ReturnedCharge } from '../../events/payment-events.ts';
import { instrumentOf } from '../../payments/instruments/registry.ts';
import { isCollecting } from '../../payments/instruments/stages.ts';
import type { PlanRow } from '../../pricing/catalog.ts';
import { type PriceFailure, priceAt, type ResolvedPrice } from '../../pricing/resolve.ts';
import type {
  InvoiceRow,
  MandateRow,
  OfferApplicationRow,
  PaymentMethodRow,
  SubscriptionRow,
  TransactionRow,
} from '../../rows/rows.ts';
import type { Draft } from '../state/draft.ts';
import { trialDaysOf } from './offering.ts';

/** Returns a plan, including deleted plans. Throws if it isn't loaded. */
export function planById(draft: Draft, id: string): PlanRow {
  const plan = draft.aggregate.catalog.plans.get(id);
  if (plan === undefined) throw new Error(`The plan ${id} is not in the catalog.`);
  return plan;
}

export const planOf = (draft: Draft, { planId }: Pick<SubscriptionRow, 'planId'>): PlanRow =>
  planById(draft, planId);

/**
 * Returns the current amount of the subscription's price in its market and currency (CAT-20, CAT-52). Throws
 * if the subscription has no price.
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

/** Returns the customer's stored payment methods in order of creation, excluding removed payment methods. */
export const storedMethods = (draft: Draft): PaymentMethodRow[] =>
  draft.paymentMethods.all().filter(({ removedAt }) => removedAt === null);

/** Returns the active mandate of a payment method. `null` if the payment method has no active mandate. */
export const mandateOf = (draft: Draft, { id }: Pick<PaymentMethodRow, 'id'>): MandateRow | null =>
  draft.mandates.all().find((row) => row.paymentMethodId === id && row.status === 'active') ?? null;

/** Returns true if a payment method can be charged only under a mandate. */
export const needsMandate = ({ instrument }: Pick<PaymentMethodRow, 'instrument'>): boolean =>
  instrumentOf(instrument).mandate !== 'none';

/** Returns true if a payment method needs no mandate or has an active one (INS-63). */
const isUsable = (draft: Draft, method: PaymentMethodRow): boolean =>
  !needsMandate(method) || mandateOf(draft, method) !== null;

/**
 * Returns the payment method of a subscription. `null` if the subscription has no payment method, or if the mandate of
 * the payment method ended.
 */
export function methodOf(
  draft: Draft,
  { paymentMethodId }: Pick<SubscriptionRow, 'paymentMethodId'>,
): PaymentMethodRow | null {
  const method = storedMethods(draft).find(({ id }) => id === paymentMethodId);
  return method === undefined || !isUsable(draft, method) ? null : method;
}

/**
 * Returns the payment method to charge for a purchase: the subscription's payment method, otherwise the customer's
 * newest one.
 */
export const purchaseMethod = (
  draft: Draft,
  subscription: Pick<SubscriptionRow, 'paymentMethodId'>,
): PaymentMethodRow | null =>
  methodOf(draft, subscription) ?? storedMethods(draft).findLast((method) => isUsable(draft, method)) ?? null;

/** Returns an invoice from the aggregate. Throws if the invoice isn't loaded. */
export function invoiceOf(draft: Draft, invoiceId: string | null): InvoiceRow {
  const invoice = invoiceId === null ? null : draft.invoices.find(invoiceId);
  if (invoice === null) throw new Error(`The invoice ${invoiceId} is not in the aggregate.`);
  return invoice;
}

/** Returns the invoice of a transaction. `null` if the transaction has no invoice. */
export const invoiceBehind = (draft: Draft, { invoiceId }: TransactionRow): InvoiceRow | null =>
  invoiceId === null ? null : draft.invoices.find(invoiceId);

/** Returns the refunded or disputed charge in the format that events use. */
export const returnedCharge = (draft: Draft, transaction: TransactionRow): ReturnedCharge => ({
  customer: draft.customer,
  invoice: invoiceBehind(draft, transaction),
  transaction,
  paymentLinkId:
    draft.payments.all().find(({ id, kind }) => id === transaction.paymentId && kind === 'link')?.id ?? null,
});

/** Returns true if an attempt waits for a payment that the payer starts, such as Pix. Such an attempt blocks nothing (INS-14). */
export const isAwaitingPayer = ({
  status,
  stage,
  instrument,
}: Pick<TransactionRow, 'status' | 'stage' | 'instrument'>): boolean =>
  status === 'pending' && stage === 'awaiting_payer' && instrumentOf(instrument).initiation === 'push';

/** Returns true if a checkout waits for a payment that the payer starts. The payer can still choose another way to pay. */
export const awaitsPayer = (draft: Draft, { pendingCheckout }: SubscriptionRow): boolean => {
  const id = pendingCheckout?.state === 'collecting' ? pendingCheckout.transactionId : null;
  const transaction = id === null ? null : draft.transactions.find(id);
  return transaction !== null && isAwaitingPayer(transaction);
};

/**
 * Returns a pending charge of the subscription. `null` if no charge is pending. Ignores charges that wait for
 * the payer's authentication (BIL-32), and accepted bank debits, which block only their invoice (INS-14).
 */
export function pendingCharge(
  draft: Draft,
  { id: subscriptionId, pendingCheckout }: SubscriptionRow,
): TransactionRow | null {
  const awaited = pendingCheckout?.state === 'requires_action' ? pendingCheckout.transactionId : null;
  const pending = draft.transactions
    .all()
    .filter(
      (row) =>
        row.status === 'pending' &&
        !isCollecting(row.stage) &&
        !isAwaitingPayer(row) &&
        row.subscriptionId === subscriptionId,
    );
  return pending.find(({ id }) => id !== awaited) ?? null;
}

/** Returns true if the provider hasn't responded to a charge, or to a setup at the checkout, or if a checkout waits for a bank debit. */
export const isCharging = (draft: Draft, subscription: SubscriptionRow): boolean =>
  subscription.pendingCheckout?.state === 'asked' ||
  (subscription.pendingCheckout?.state === 'collecting' && !awaitsPayer(draft, subscription)) ||
  pendingCharge(draft, subscription) !== null;

/** Returns true if a bank debit for the invoice was accepted and has no final result (INS-13). */
export const isBeingCollected = (draft: Draft, invoiceId: string | null): boolean =>
  draft.transactions
    .all()
    .some((row) => row.status === 'pending' && isCollecting(row.stage) && row.invoiceId === invoiceId);

/** Returns true if a bank debit of the subscription was accepted and has no final result (INS-36). */
export const isCollectingDebit = (draft: Draft, { id }: Pick<SubscriptionRow, 'id'>): boolean =>
  draft.transactions
    .all()
    .some((row) => row.status === 'pending' && isCollecting(row.stage) && row.subscriptionId === id);

/** Returns true if a payment of the subscription is in dispute (SUB-22). */
export const hasOpenDispute = (draft: Draft, { id }: SubscriptionRow): boolean =>
  draft.transactions
    .all()
    .some((row) => row.subscriptionId === id && row.status === 'disputed' && row.disputeOutcome === null);

/** Returns the offer quoted in the open checkout of a subscription. `null` if no offer is quoted. */
export const quotedOffer = (draft: Draft, subscription: SubscriptionRow): OfferApplicationRow | null =>
  draft.offerApplications
    .all()
    .find((row) => row.subscriptionId === subscription.id && row.status === 'quoted') ?? null;

/**
 * Returns the number of days of the free trial that an open checkout starts. 0 if the checkout doesn't
 * start a free trial.
 */
export const quotedTrialDays = (draft: Draft, subscription: SubscriptionRow): number =>
  trialDaysOf(quotedOffer(draft, subscription)?.phases ?? []);
