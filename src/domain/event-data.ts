// The payload of each event of the billing core, with exactly the fields receivers are promised. Instants are ISO texts, amounts bare
// numbers in minor units; a field that may be absent is left out rather than null.

import { netUsdMinor } from './funds.ts';
import { invoiceNumberText } from './invoice/number.ts';
import { wireAmount } from './money.ts';
import type { PlanRow } from './pricing/catalog.ts';
import type { EventDraft } from './subscription/changes.ts';
import type { CustomerRow, InvoiceRow, MethodFacts, SubscriptionRow, TransactionRow } from './subscription/rows.ts';
import type { DisputeOutcome, PaymentProvider, StateTrigger } from './words.ts';

/** An event without the fields every event of a decision shares. */
export type EventBody = Omit<EventDraft, 'customerId' | 'occurredAt'>;

/** The identifier of a customer that receivers see: the caller's own one, else the platform's (GLO-3). */
export const shownCustomerId = (customer: Pick<CustomerRow, 'id' | 'externalId'>): string => customer.externalId ?? customer.id;

// One instant is shared by all subjects of a batch and told several times by each, and writing it out is dear.
const written = new WeakMap<Date, string>();

function iso(instant: Date | null): string | null {
  if (instant === null) return null;
  const known = written.get(instant);
  if (known !== undefined) return known;
  const text = instant.toISOString();
  written.set(instant, text);
  return text;
}

/** The text of an invoice's number; null until it is stored, which fills it in. */
export const shownNumber = (invoice: InvoiceRow): string | null => (invoice.number === null ? null : invoiceNumberText(invoice.number));

const about = (customer: CustomerRow, subscription: SubscriptionRow) => ({
  subscriptionId: subscription.id,
  customerId: shownCustomerId(customer),
  status: subscription.status,
});

const currentPeriod = (subscription: SubscriptionRow) =>
  subscription.periodStart === null || subscription.periodEnd === null
    ? {}
    : { currentPeriodStart: iso(subscription.periodStart), currentPeriodEnd: iso(subscription.periodEnd) };

/** A subscription was stored and may be seen. */
export const subscriptionCreated = (customer: CustomerRow, subscription: SubscriptionRow, plan: PlanRow): EventBody => ({
  kind: 'subscription.created',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    planId: plan.id,
    planName: plan.name,
    startDate: iso(subscription.startDate),
    name: subscription.name,
  },
});

/**
 * The first activation, or a canceled subscription that runs again; `invoice` is null on free plans, `provider` where nothing was charged
 * (SUB-19, SUB-31).
 */
export const subscriptionActivated = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  invoice: InvoiceRow | null,
  provider: PaymentProvider | null,
  kind: 'subscription.activated' | 'subscription.reactivated' = 'subscription.activated',
): EventBody => ({
  kind,
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    ...currentPeriod(subscription),
    name: subscription.name,
    invoiceId: invoice?.id ?? null,
    invoiceNumber: invoice === null ? null : shownNumber(invoice),
    invoiceTotal: invoice === null ? null : wireAmount(invoice.total),
    invoiceCurrency: invoice?.currency ?? null,
    provider,
  },
});

/** The subscription ended; the row is the canceled one (SUB-28a). */
export const subscriptionCanceled = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'subscription.canceled',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    canceledAt: iso(subscription.canceledAt),
    cancelReason: subscription.cancelReason,
    endDate: iso(subscription.endDate),
  },
});

/** A cancellation was scheduled for `effectiveAt` (SUB-23). */
export const cancellationScheduled = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'subscription.cancellation_scheduled',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    canceledAt: iso(subscription.cancellationScheduledAt),
    cancelReason: subscription.cancelReason,
    effectiveAt: iso(subscription.cancelEffectiveAt),
  },
});

/** A scheduled cancellation was withdrawn (SUB-29). */
export const cancellationRevoked = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'subscription.cancellation_revoked',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    ...(subscription.periodEnd === null ? {} : { currentPeriodEnd: iso(subscription.periodEnd) }),
  },
});

/** The general notice beside a cancellation planned or withdrawn. */
export const subscriptionUpdated = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'subscription.updated',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    cancelReason: subscription.cancelReason,
    ...(subscription.cancellationScheduledAt === null ? {} : { canceledAt: iso(subscription.cancellationScheduledAt) }),
    ...(subscription.endDate === null ? {} : { endDate: iso(subscription.endDate) }),
  },
});

/** A charge past the checkout failed and dunning begins (BIL-40). */
export const subscriptionPastDue = (customer: CustomerRow, subscription: SubscriptionRow, invoice: InvoiceRow): EventBody => ({
  kind: 'subscription.past_due',
  subscriptionId: subscription.id,
  data: { ...about(customer, subscription), invoiceId: invoice.id, invoiceNumber: shownNumber(invoice) },
});

/** One of the notices about a trial that carry the same fields; the row has the status after it. */
export const trialEvent = (
  kind: 'trial.started' | 'trial.expired' | 'trial.will_end',
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plan: PlanRow,
): EventBody => ({
  kind,
  subscriptionId: subscription.id,
  data: { ...about(customer, subscription), planId: plan.id, planName: plan.name, trialEndsAt: iso(subscription.trialEndsAt) },
});

/** A link exists at which a method can be stored to begin a trial. */
export const trialCheckoutReady = (customer: CustomerRow, subscription: SubscriptionRow, plan: PlanRow, trialDays: number): EventBody => ({
  kind: 'trial.checkout_ready',
  subscriptionId: subscription.id,
  link: { field: 'checkoutUrl', page: 'checkout', subjectId: subscription.id },
  data: { subscriptionId: subscription.id, customerId: shownCustomerId(customer), planName: plan.name, trialDays, checkoutUrl: null },
});

/** A link exists at which the first invoice can be paid. */
export const checkoutReady = (customer: CustomerRow, subscription: SubscriptionRow, invoice: InvoiceRow): EventBody => ({
  kind: 'checkout.ready',
  subscriptionId: subscription.id,
  link: { field: 'checkoutUrl', page: 'checkout', subjectId: subscription.id },
  data: {
    subscriptionId: subscription.id,
    customerId: shownCustomerId(customer),
    invoiceId: invoice.id,
    invoiceNumber: shownNumber(invoice),
    invoiceTotal: wireAmount(invoice.total),
    invoiceCurrency: invoice.currency,
    checkoutUrl: null,
  },
});

/** A notice about an invoice; the row has the status it tells. */
export const invoiceEvent = (
  kind: 'invoice.created' | 'invoice.voided' | 'invoice.overdue',
  customer: CustomerRow,
  invoice: InvoiceRow,
): EventBody => ({
  kind,
  subscriptionId: invoice.subscriptionId,
  data: {
    invoiceId: invoice.id,
    invoiceNumber: shownNumber(invoice),
    invoiceStatus: invoice.status,
    periodStart: iso(invoice.periodStart),
    periodEnd: iso(invoice.periodEnd),
    issueDate: iso(invoice.issueDate),
    dueDate: iso(invoice.dueDate),
    currency: invoice.currency,
    subtotal: wireAmount(invoice.subtotal),
    total: wireAmount(invoice.total),
    customerId: shownCustomerId(customer),
    subscriptionId: invoice.subscriptionId,
  },
});

/** A renewal is near (BIL-4). */
export const invoiceUpcoming = (customer: CustomerRow, subscription: SubscriptionRow, plan: PlanRow): EventBody => ({
  kind: 'invoice.upcoming',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    planId: plan.id,
    planName: plan.name,
    billingInterval: subscription.billingInterval,
    currentPeriodEnd: iso(subscription.periodEnd),
  },
});

const paidInvoice = (customer: CustomerRow, invoice: InvoiceRow) => ({
  invoiceId: invoice.id,
  invoiceNumber: shownNumber(invoice),
  invoiceTotal: wireAmount(invoice.total),
  customerId: shownCustomerId(customer),
  subscriptionId: invoice.subscriptionId,
});

const wireOrNull = (amount: bigint | null): number | null => (amount === null ? null : wireAmount(amount));

/** A charge settled. The gross and net amounts are US cents; null while only another currency is known (PAY-24, PAY-25). */
export const paymentReceived = (customer: CustomerRow, invoice: InvoiceRow, transaction: TransactionRow): EventBody => ({
  kind: 'payment.received',
  subscriptionId: invoice.subscriptionId,
  data: {
    ...paidInvoice(customer, invoice),
    paymentTransactionId: transaction.id,
    provider: transaction.provider,
    grossAmount: wireOrNull(transaction.grossUsdMinor),
    currency: transaction.currency,
    orgNetAmount: wireOrNull(netUsdMinor(transaction)),
    customerEmail: customer.email,
    ...(transaction.paidAt === null ? {} : { paidAt: iso(transaction.paidAt) }),
  },
});

/** A failed charge as receivers are told of it. */
export type FailureFacts = { readonly provider: PaymentProvider; readonly code: string; readonly message: string };

/** A charge past the checkout failed; `page` is where the payer can do something about it: the open checkout, the recovery page, or null. */
export const paymentFailed = (
  customer: CustomerRow,
  invoice: InvoiceRow,
  failure: FailureFacts,
  page: { readonly page: 'checkout' | 'recover'; readonly subjectId: string } | null,
): EventBody => ({
  kind: 'payment.failed',
  subscriptionId: invoice.subscriptionId,
  ...(page === null ? {} : { link: { field: 'recoveryUrl' as const, ...page } }),
  data: {
    invoiceId: invoice.id,
    invoiceNumber: shownNumber(invoice),
    customerId: shownCustomerId(customer),
    subscriptionId: invoice.subscriptionId,
    provider: failure.provider,
    failureCode: failure.code,
    failureMessage: failure.message,
    recoveryUrl: null,
  },
});

/** An invoice in dunning was paid; `provider` is null when no charge did it. */
export const paymentRecovered = (customer: CustomerRow, invoice: InvoiceRow, provider: PaymentProvider | null): EventBody => ({
  kind: 'payment.recovered',
  subscriptionId: invoice.subscriptionId,
  data: { ...paidInvoice(customer, invoice), provider },
});

/** Dunning ended without success; `reason` is the last decline code (BIL-43). */
export const paymentRetryFailed = (customer: CustomerRow, invoice: InvoiceRow, provider: PaymentProvider, reason: string): EventBody => ({
  kind: 'payment.retry_failed',
  subscriptionId: invoice.subscriptionId,
  data: {
    invoiceId: invoice.id,
    invoiceNumber: shownNumber(invoice),
    customerId: shownCustomerId(customer),
    subscriptionId: invoice.subscriptionId,
    provider,
    reason,
  },
});

/** A method was stored for a subscription, or replaced the one it had (PAY-33). */
export const paymentMethodStored = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  method: MethodFacts,
  isReplacement: boolean,
): EventBody => {
  const card = { brand: method.brand, last4: method.last4, expMonth: method.expMonth, expYear: method.expYear };
  const customerId = shownCustomerId(customer);
  return isReplacement
    ? { kind: 'payment_method.updated', subscriptionId: subscription.id, data: { customerId, card } }
    : { kind: 'payment_method.attached', subscriptionId: subscription.id, data: { subscriptionId: subscription.id, customerId, card } };
};

/** A charge whose money goes back: `invoice` is null for one without, `paymentLinkId` unless it came from a payment link. */
export type ReturnedCharge = {
  readonly customer: CustomerRow;
  readonly invoice: InvoiceRow | null;
  readonly transaction: TransactionRow;
  readonly paymentLinkId: string | null;
};

/** What events about money that goes back tell of its charge. */
const returned = ({ customer, invoice, transaction, paymentLinkId }: ReturnedCharge) => ({
  paymentTransactionId: transaction.id,
  provider: transaction.provider,
  paymentLinkId,
  invoiceId: invoice?.id ?? null,
  invoiceNumber: invoice === null ? null : shownNumber(invoice),
  customerId: shownCustomerId(customer),
  subscriptionId: transaction.subscriptionId,
  currency: transaction.currency,
});

/** A refund was confirmed (PAY-28); the amount in minor units of the charge. */
export const paymentRefunded = (charge: ReturnedCharge, amountMinor: bigint): EventBody => ({
  kind: 'payment.refunded',
  subscriptionId: charge.transaction.subscriptionId,
  data: { ...returned(charge), refundAmount: wireAmount(amountMinor) },
});

const contested = (charge: ReturnedCharge) => ({
  ...returned(charge),
  disputeAmount: wireAmount(charge.transaction.amountMinor - charge.transaction.refundedMinor),
  disputeReason: charge.transaction.disputeReason,
});

/** A charge was contested and what is left of it is frozen (PAY-32). */
export const paymentDisputed = (charge: ReturnedCharge): EventBody => ({
  kind: 'payment.disputed',
  subscriptionId: charge.transaction.subscriptionId,
  data: contested(charge),
});

/** A dispute ended (PAY-32). */
export const paymentDisputeResolved = (charge: ReturnedCharge, outcome: DisputeOutcome): EventBody => ({
  kind: 'payment.dispute_resolved',
  subscriptionId: charge.transaction.subscriptionId,
  data: { ...contested(charge), outcome },
});

/** The entitlements may have changed; everything but the reason is worked out when the event is delivered. */
export const stateChanged = (
  customer: Pick<CustomerRow, 'id' | 'externalId'>,
  subscription: Pick<SubscriptionRow, 'id'>,
  trigger: StateTrigger,
): EventBody => ({
  kind: 'customer.state_changed',
  subscriptionId: subscription.id,
  data: { trigger, customerId: shownCustomerId(customer), subscriptionId: subscription.id },
});
