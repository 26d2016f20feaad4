// Payloads of events about receipts: money that payers send without a charge.
import { wireAmount } from '../money/money.ts';
import type { CustomerRow, InvoiceRow, ReceiptRow } from '../rows/rows.ts';
import { type EventBody, shownCustomerId, shownNumber } from './event-data.ts';

export type ReceiptEventKind = 'receipt.recorded' | 'receipt.applied' | 'receipt.returned';

/** Returns the event about a receipt. `customer` and `invoice` are `null` if the receipt isn't matched. */
export const receiptEvent = (
  kind: ReceiptEventKind,
  customer: CustomerRow | null,
  receipt: ReceiptRow,
  invoice: InvoiceRow | null,
): EventBody => ({
  kind,
  subscriptionId: invoice?.subscriptionId ?? null,
  data: {
    receiptId: receipt.id,
    status: receipt.status,
    instrument: receipt.instrument,
    amount: wireAmount(receipt.amountMinor),
    appliedAmount: wireAmount(receipt.appliedMinor),
    returnedAmount: wireAmount(receipt.returnedMinor),
    currency: receipt.currency,
    reference: receipt.reference,
    invoiceId: invoice?.id ?? null,
    invoiceNumber: invoice === null ? null : shownNumber(invoice),
    invoiceStatus: invoice?.status ?? null,
    customerId: customer === null ? null : shownCustomerId(customer),
    lateOfTransactionId: receipt.lateOf,
  },
});
