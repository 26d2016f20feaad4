// Payloads of events about invoices, payments, payment methods, refunds, and disputes.

import { wireAmount } from '../money/money.ts';
import { netUsdMinor } from '../payments/funds.ts';
import { defaultInstrument, instrumentOf } from '../payments/instruments/registry.ts';
import type { PlanRow } from '../pricing/catalog.ts';
import type { DisputeOutcome, PaymentProvider } from '../rows/enums.ts';
import type {
  CreditNoteRow,
  CustomerRow,
  InvoiceRow,
  MethodDetails,
  PaymentMethodRow,
  SubscriptionRow,
  TransactionRow,
} from '../rows/rows.ts';
import { about, type EventBody, iso, shownCustomerId, shownNumber } from './event-data.ts';

export const invoiceEvent = (
  kind: 'invoice.created' | 'invoice.updated' | 'invoice.voided' | 'invoice.overdue',
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

/** Returns the `credit_note.created` event. `invoiceStatus` is the status after the invoice was credited. */
export const creditNoteCreated = (
  customer: CustomerRow,
  invoice: InvoiceRow,
  note: CreditNoteRow,
): EventBody => ({
  kind: 'credit_note.created',
  subscriptionId: note.subscriptionId,
  data: {
    creditNoteId: note.id,
    creditNoteNumber: null,
    reason: note.reason,
    invoiceId: invoice.id,
    invoiceNumber: shownNumber(invoice),
    invoiceStatus: invoice.status,
    issueDate: iso(note.issueDate),
    currency: note.currency,
    subtotal: wireAmount(note.subtotal),
    taxAmount: wireAmount(note.taxAmount),
    total: wireAmount(note.total),
    refundId: note.refundId,
    customerId: shownCustomerId(customer),
    subscriptionId: note.subscriptionId,
  },
});

/** Returns the `invoice.upcoming` event, which announces a renewal (BIL-4). */
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

/**
 * Returns the `payment_method.expiring` event for a card that expires before the subscription's next charge (BIL-4a).
 */
export const methodExpiring = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plan: PlanRow,
  { method, renewal }: { readonly method: PaymentMethodRow; readonly renewal: Date },
): EventBody => ({
  kind: 'payment_method.expiring',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    planId: plan.id,
    planName: plan.name,
    paymentMethodId: method.id,
    card: { brand: method.brand, last4: method.last4, expMonth: method.expMonth, expYear: method.expYear },
    renewsAt: iso(renewal),
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
 * Returns the event for a settled charge. Gross and net amounts are in US cents, and `null` if the value in
 * US dollars is unknown (PAY-24, PAY-25).
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

/** Failed charge as represented in event payloads. */
export type FailureDetails = {
  readonly provider: PaymentProvider;
  readonly code: string;
  readonly message: string;
};

/**
 * Returns the event for a failed charge outside a checkout. `page` is the page where the customer can pay: the open
 * checkout, the recovery page, or `null`.
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

/**
 * Returns the event for an invoice that was paid during dunning. `provider` is `null` if the invoice was paid
 * without a charge.
 */
export const paymentRecovered = (
  customer: CustomerRow,
  invoice: InvoiceRow,
  provider: PaymentProvider | null,
): EventBody => ({
  kind: 'payment.recovered',
  subscriptionId: invoice.subscriptionId,
  data: { ...paidInvoice(customer, invoice), provider },
});

/**
 * Returns the event for dunning that ended without a payment. `reason` is the decline code of the last
 * attempt (BIL-43).
 */
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

/** Returns the card of a payment method. `null` if the payment method isn't a card. */
const cardOf = ({ instrument = defaultInstrument, brand, last4, expMonth, expYear }: MethodDetails) =>
  instrumentOf(instrument).mandate === 'none' ? { brand, last4, expMonth, expYear } : null;

/**
 * Returns the event for a payment method that was stored for a subscription. `isReplacement` is true if the
 * subscription already had a payment method (PAY-33).
 */
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

/** Returns the event for a removed payment method. The payload contains no subscription (PAY-34). */
export const paymentMethodDetached = (customer: CustomerRow, method: MethodDetails): EventBody => ({
  kind: 'payment_method.detached',
  subscriptionId: null,
  data: { customerId: shownCustomerId(customer), card: cardOf(method) },
});

/**
 * Charge that was refunded or disputed. `invoice` is `null` if the charge has no invoice. `paymentLinkId`
 * is `null` unless the charge belongs to a payment link.
 */
export type ReturnedCharge = {
  readonly customer: CustomerRow;
  readonly invoice: InvoiceRow | null;
  readonly transaction: TransactionRow;
  readonly paymentLinkId: string | null;
};

/** Returns the fields of a charge for refund and dispute events. */
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

/**
 * Returns the event for a confirmed refund (PAY-28). The amount is in minor units of the charge's currency.
 */
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

/** Returns the event for a dispute. The part of the charge that wasn't refunded is on hold (PAY-32). */
export const paymentDisputed = (charge: ReturnedCharge): EventBody => ({
  kind: 'payment.disputed',
  subscriptionId: charge.transaction.subscriptionId,
  data: contested(charge),
});

export const paymentDisputeResolved = (charge: ReturnedCharge, outcome: DisputeOutcome): EventBody => ({
  kind: 'payment.dispute_resolved',
  subscriptionId: charge.transaction.subscriptionId,
  data: { ...contested(charge), outcome },
});
