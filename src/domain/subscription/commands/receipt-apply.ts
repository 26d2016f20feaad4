import { specificRejection } from '../../errors/errors.ts';
import { receiptEvent } from '../../events/receipt-events.ts';
import { chargeOf } from '../../invoicing/credit-note.ts';
import { leftOf } from '../../payments/receipts.ts';
import type { InvoiceRow, ReceiptRow } from '../../rows/rows.ts';
import { assignReceipt } from '../invoicing/receipts.ts';
import { applyReceipts, takesMoney } from '../payments/receipts.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly receiptId: string;
  readonly invoiceId: string;
  /** Amount to apply. `null` applies as much as possible. */
  readonly amountMinor: bigint | null;
};

/**
 * Applies an unmatched receipt, or money on account, to an outstanding invoice (INS-78). The rest of the receipt stays on account.
 * Fails with `validation_error` if the receipt has no money left, or if the amount, the currency, or the invoice doesn't fit.
 */
export const receiptApply = customerCommand({
  kind: 'receipt.apply',
  outlivesCustomer: true,
  needs: ({ receiptId, invoiceId }: Input) => ({
    receipts: [receiptId],
    invoices: [invoiceId],
    creditedInvoices: [invoiceId],
  }),
  decide(draft: Draft, { receiptId, invoiceId, amountMinor }: Input): Decision {
    const receipt = draft.receipts.find(receiptId);
    const invoice = draft.invoices.find(invoiceId);
    const rejection = rejectionOf(draft, receipt, invoice, amountMinor);
    if (receipt === null || invoice === null || rejection !== null)
      return draft.reject(rejection ?? specificRejection('validation_error', 'receipt_invoice'));
    const own = receipt.customerId === null ? assignReceipt(draft, receipt, invoiceId) : receipt;
    applyReceipts(draft, invoice, [own], amountMinor);
    const event = receiptEvent(
      'receipt.applied',
      draft.customer,
      draft.receipts.get(receiptId),
      draft.invoices.get(invoiceId),
    );
    draft.emit(event);
    return draft.done('done', invoice.subscriptionId, invoiceId);
  },
});

function rejectionOf(
  draft: Draft,
  receipt: ReceiptRow | null,
  invoice: InvoiceRow | null,
  amountMinor: bigint | null,
) {
  if (receipt === null || leftOf(receipt) === 0n)
    return specificRejection('validation_error', 'receipt_used', { param: 'id' });
  if (invoice === null || !takesMoney(draft, invoice))
    return specificRejection('validation_error', 'receipt_invoice', { param: 'invoiceId' });
  if (invoice.currency !== receipt.currency)
    return specificRejection('validation_error', 'receipt_currency', {
      param: 'invoiceId',
      values: { currency: receipt.currency },
    });
  const due = chargeOf(invoice).total;
  const left = leftOf(receipt);
  const most = left < due ? left : due;
  const applied = amountMinor ?? most;
  if (applied > most)
    return specificRejection('validation_error', 'receipt_amount', {
      param: 'amount',
      values: { most: String(most) },
    });
  return invoice.finalizedAt === null && applied < due
    ? specificRejection('validation_error', 'receipt_checkout', { param: 'amount' })
    : null;
}
