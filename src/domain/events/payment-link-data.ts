// Payloads of payment link events (PAY-9).

import { wireAmount } from '../money/money.ts';
import type { PaymentRow } from '../rows/payment-rows.ts';
import type { CustomerRow, InvoiceRow, TransactionRow } from '../rows/rows.ts';
import { type EventBody, shownCustomerId, shownNumber } from './event-data.ts';

/** Returns the common fields of payment link events. The amount includes the known tax. */
const about = (payment: PaymentRow, customer: CustomerRow | null) => ({
  paymentId: payment.id,
  status: payment.status,
  amount: wireAmount(payment.totalMinor),
  currency: payment.currency,
  description: payment.description,
  customerId: customer === null || payment.customerId === null ? null : shownCustomerId(customer),
});

/**
 * Returns the event for a created or canceled payment link. `customer` is `null` if the link has no customer.
 */
export const paymentLinkEvent = (
  kind: 'payment_link.created' | 'payment_link.canceled',
  payment: PaymentRow,
  customer: CustomerRow | null,
): EventBody => ({ kind, subscriptionId: null, data: about(payment, customer) });

/** Returns the event for a declined payment. The payer can retry. */
export const paymentLinkFailed = (
  payment: PaymentRow,
  customer: CustomerRow,
  failure: { readonly code: string; readonly message: string },
): EventBody => ({
  kind: 'payment_link.failed',
  subscriptionId: null,
  data: { ...about(payment, customer), failureCode: failure.code, failureMessage: failure.message },
});

export const paymentLinkCompleted = (
  payment: PaymentRow,
  customer: CustomerRow,
  invoice: InvoiceRow,
  transaction: TransactionRow | null,
): EventBody => ({
  kind: 'payment_link.completed',
  subscriptionId: null,
  data: {
    ...about(payment, customer),
    invoiceId: invoice.id,
    invoiceNumber: shownNumber(invoice),
    paymentTransactionId: transaction?.id ?? null,
  },
});
