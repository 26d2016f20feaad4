// The payloads of the events of payment links (PAY-9).
import { type EventBody, shownCustomerId, shownNumber } from '../event-data.ts';
import { wireAmount } from '../money.ts';
import type { CustomerRow, InvoiceRow, TransactionRow } from '../subscription/state/rows.ts';
import type { PaymentRow } from './rows.ts';

/** What every event of a link tells. The amount is what is to be paid, tax included as far as it is known. */
const about = (payment: PaymentRow, customer: CustomerRow | null) => ({
  paymentId: payment.id,
  status: payment.status,
  amount: wireAmount(payment.totalMinor),
  currency: payment.currency,
  description: payment.description,
  customerId: customer === null || payment.customerId === null ? null : shownCustomerId(customer),
});

/** A link was made, or withdrawn; `customer` is null on a link without one. */
export const paymentLinkEvent = (
  kind: 'payment_link.created' | 'payment_link.canceled',
  payment: PaymentRow,
  customer: CustomerRow | null,
): EventBody => ({ kind, subscriptionId: null, data: about(payment, customer) });

/** An attempt at a link was declined; the link can be tried again. */
export const paymentLinkFailed = (
  payment: PaymentRow,
  customer: CustomerRow,
  failure: { readonly code: string; readonly message: string },
): EventBody => ({
  kind: 'payment_link.failed',
  subscriptionId: null,
  data: { ...about(payment, customer), failureCode: failure.code, failureMessage: failure.message },
});

/** A link was paid; `transaction` is null where too little was due to be charged (BIL-35). */
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
