// The payload of each event about an invoice, its payment, and money that goes back.

import type { DisputeOutcome, PaymentProvider } from './enums.ts';
import { about, type EventBody, iso, shownCustomerId, shownNumber } from './event-data.ts';
import { netUsdMinor } from './funds.ts';
import { wireAmount } from './money.ts';
import type { PlanRow } from './pricing/catalog.ts';
import type {
  CustomerRow,
  InvoiceRow,
  MethodDetails,
  SubscriptionRow,
  TransactionRow,
} from './subscription/state/rows.ts';

/** The event of an invoice in its present status. */
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

/** `invoice.upcoming`: a renewal is near (BIL-4). */
export const invoiceUpcoming = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plan: PlanRow,
): EventBody => ({
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

/**
 * A charge settled. The gross and net amounts are US cents; null while only another currency is known
 * (PAY-24, PAY-25).
 */
export const paymentReceived = (
  customer: CustomerRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
): EventBody => ({
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

/** A failed charge as events describe it. */
export type FailureDetails = {
  readonly provider: PaymentProvider;
  readonly code: string;
  readonly message: string;
};

/**
 * A charge past the checkout failed. `page` is where the payer can pay: the open checkout, the recovery page,
 * or null.
 */
export const paymentFailed = (
  customer: CustomerRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
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
export const paymentRecovered = (
  customer: CustomerRow,
  invoice: InvoiceRow,
  provider: PaymentProvider | null,
): EventBody => ({
  kind: 'payment.recovered',
  subscriptionId: invoice.subscriptionId,
  data: { ...paidInvoice(customer, invoice), provider },
});

/** Dunning ended without success; `reason` is the last decline code (BIL-43). */
export const paymentRetryFailed = (
  customer: CustomerRow,
  invoice: InvoiceRow,
  provider: PaymentProvider,
  reason: string,
): EventBody => ({
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

/** What is told of a stored card. */
const cardOf = ({ brand, last4, expMonth, expYear }: MethodDetails) => ({ brand, last4, expMonth, expYear });

/** A method was stored for a subscription, or replaced the one it had (PAY-33). */
export const paymentMethodStored = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  method: MethodDetails,
  isReplacement: boolean,
): EventBody => {
  const card = cardOf(method);
  const customerId = shownCustomerId(customer);
  return isReplacement
    ? { kind: 'payment_method.updated', subscriptionId: subscription.id, data: { customerId, card } }
    : {
        kind: 'payment_method.attached',
        subscriptionId: subscription.id,
        data: { subscriptionId: subscription.id, customerId, card },
      };
};

/** A customer has removed a stored method; it belongs to no subscription any more (PAY-34). */
export const paymentMethodDetached = (customer: CustomerRow, method: MethodDetails): EventBody => ({
  kind: 'payment_method.detached',
  subscriptionId: null,
  data: { customerId: shownCustomerId(customer), card: cardOf(method) },
});

/**
 * A charge whose money goes back: `invoice` is null for one without, `paymentLinkId` unless it came from a
 * payment link.
 */
export type ReturnedCharge = {
  readonly customer: CustomerRow;
  readonly invoice: InvoiceRow | null;
  readonly transaction: TransactionRow;
  readonly paymentLinkId: string | null;
};

/** The fields of a charge in events about its refunds and disputes. */
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
