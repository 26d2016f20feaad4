// Payloads of events about bank debits and their mandates.
import { wireAmount } from '../money/money.ts';
import type { CustomerRow, InvoiceRow, MandateRow, PaymentMethodRow, TransactionRow } from '../rows/rows.ts';
import { type EventBody, iso, shownCustomerId, shownNumber } from './event-data.ts';
import { invoiceEvent } from './payment-events.ts';

/** Mandate and account of a bank debit. Both are `null` if the payment method was removed. */
export type DebitedAccount = {
  readonly method: PaymentMethodRow | null;
  readonly mandate: MandateRow | null;
};

const debitOf = (
  customer: CustomerRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
  { method, mandate }: DebitedAccount,
) => ({
  invoiceId: invoice.id,
  invoiceNumber: shownNumber(invoice),
  customerId: shownCustomerId(customer),
  subscriptionId: transaction.subscriptionId,
  paymentTransactionId: transaction.id,
  provider: transaction.provider,
  instrument: transaction.instrument,
  amount: wireAmount(transaction.amountMinor),
  currency: transaction.currency,
  collectionOn: iso(transaction.collectionOn),
  expectedOn: iso(transaction.expectedOn),
  mandateReference: mandate?.reference ?? null,
  last4: method?.last4 ?? null,
});

/** Returns the event for a bank debit that was scheduled or sent to the bank. */
export const debitEvent = (
  kind: 'payment.scheduled' | 'payment.processing',
  customer: CustomerRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
  account: DebitedAccount,
): EventBody => ({
  kind,
  subscriptionId: transaction.subscriptionId,
  data: debitOf(customer, invoice, transaction, account),
});

/** Returns the event for a payment that the payer's bank returned (INS-40). */
export const paymentReturned = (
  customer: CustomerRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
  account: DebitedAccount,
): EventBody => ({
  kind: 'payment.returned',
  subscriptionId: transaction.subscriptionId,
  data: { ...debitOf(customer, invoice, transaction, account), failureCode: transaction.declineCode },
});

/** Returns the event for a paid invoice that is outstanding again. */
export const invoiceReopened = (customer: CustomerRow, invoice: InvoiceRow): EventBody => ({
  ...invoiceEvent('invoice.updated', customer, invoice),
  kind: 'invoice.reopened',
});

/** Returns the event for a mandate that was accepted or ended. `subscriptionId` is the subscription that uses the payment method. */
export const mandateEvent = (
  kind: 'mandate.created' | 'mandate.revoked',
  customer: CustomerRow,
  mandate: MandateRow,
  method: PaymentMethodRow,
  subscriptionId: string | null = null,
): EventBody => ({
  kind,
  subscriptionId,
  data: {
    mandateId: mandate.id,
    reference: mandate.reference,
    instrument: method.instrument,
    last4: method.last4,
    paymentMethodId: method.id,
    customerId: shownCustomerId(customer),
    subscriptionId,
    endedBy: mandate.endedBy,
    reason: mandate.reason,
  },
});
