// Money on account, and the payments that apply the money to invoices (INS-70 to INS-73).
import { chargeOf } from '../../invoicing/credit-note.ts';
import { postReceipt, postReturned, postSettled } from '../../ledger/documents.ts';
import {
  amountBeforeCharge,
  leftOf,
  type Portion,
  portionsFor,
  receiptStatus,
} from '../../payments/receipts.ts';
import type { InvoiceRow, ReceiptRow, TransactionRow } from '../../rows/rows.ts';
import type { Draft } from '../state/draft.ts';
import { pendingTransaction, settleTransaction } from './charging.ts';

/** Receipts of the customer with money on account in a currency, oldest first. */
const moneyOnAccount = (draft: Draft, currency: string): readonly ReceiptRow[] =>
  draft.receipts
    .all()
    .filter((row) => row.customerId === draft.customer.id && row.currency === currency && leftOf(row) > 0n);

/** Updates the amounts of a receipt, its status, and the mark of the customer. */
function change(draft: Draft, id: string, amounts: Partial<ReceiptRow>): ReceiptRow {
  const changed = draft.receipts.patch(id, { ...amounts, updatedAt: draft.now });
  const receipt = draft.receipts.patch(id, { status: receiptStatus(changed) });
  markMoney(draft);
  return receipt;
}

/** Records on the customer whether money is on account, so that later decisions load it. */
function markMoney(draft: Draft): void {
  const own = draft.receipts.all().filter(({ customerId }) => customerId === draft.customer.id);
  const hasMoneyOnAccount = own.some((row) => leftOf(row) > 0n);
  if (draft.customer.hasMoneyOnAccount !== hasMoneyOnAccount)
    draft.customers.patch(draft.customer.id, { hasMoneyOnAccount });
}

/** Adds a receipt, whose whole amount is on account. */
export function holdReceipt(draft: Draft, row: ReceiptRow): ReceiptRow {
  draft.ledger.push(...postReceipt('receipt.held', row, row.amountMinor, draft.newId, draft.now));
  const receipt = draft.receipts.add(row);
  markMoney(draft);
  return receipt;
}

/** Assigns an unmatched receipt to the customer. Its whole amount is on account. */
export function assignReceipt(draft: Draft, unmatched: ReceiptRow, invoiceId: string): ReceiptRow {
  const left = leftOf(unmatched);
  const customerId = draft.customer.id;
  const receipt = { ...unmatched, customerId, invoiceId };
  draft.ledger.push(
    ...postReceipt('receipt.assigned', unmatched, left, draft.newId, draft.now),
    ...postReceipt('receipt.held', receipt, left, draft.newId, draft.now),
  );
  return change(draft, unmatched.id, { customerId, invoiceId });
}

/** Returns the rest of a receipt to the payer. */
export function returnRest(draft: Draft, { id }: Pick<ReceiptRow, 'id'>): ReceiptRow {
  const receipt = draft.receipts.get(id);
  const left = leftOf(receipt);
  draft.ledger.push(...postReceipt('receipt.returned', receipt, left, draft.newId, draft.now));
  return change(draft, id, { returnedMinor: receipt.returnedMinor + left });
}

/** Takes a portion of a receipt off account, because it pays an invoice. */
export function takePortion(draft: Draft, { receiptId, amountMinor }: Portion): ReceiptRow {
  const receipt = draft.receipts.get(receiptId);
  draft.ledger.push(...postReceipt('receipt.applied', receipt, amountMinor, draft.newId, draft.now));
  return change(draft, receiptId, { appliedMinor: receipt.appliedMinor + amountMinor });
}

/** Returns a new payment that applies a portion of a receipt to an invoice. `taxMinor` is the tax in the portion. */
export const addPayment = (
  draft: Draft,
  invoice: InvoiceRow,
  { receiptId, amountMinor }: Portion,
  taxMinor: bigint,
): TransactionRow =>
  draft.transactions.add({
    ...pendingTransaction(
      draft,
      { ...receiptMethod, instrument: draft.receipts.get(receiptId).instrument },
      {
        customerId: invoice.customerId,
        subscriptionId: invoice.subscriptionId,
        invoiceId: invoice.id,
        paymentId: null,
        isPayerRetry: true,
        currency: invoice.currency,
        total: amountMinor,
        taxAmount: taxMinor,
      },
    ),
    receiptId,
  });

/** Receipts have no stored payment method. */
const receiptMethod = {
  reference: '',
  bin: null,
  provider: 'platform',
  brand: '',
  last4: '',
  expMonth: 12,
  expYear: 9999,
} as const;

/** Applies a portion of a receipt to an invoice that stays outstanding (INS-71). The amount due must exceed the portion. */
export function payPart(draft: Draft, { id }: InvoiceRow, portion: Portion): InvoiceRow {
  const before = draft.invoices.get(id);
  const after = { ...before, paidInParts: before.paidInParts + portion.amountMinor };
  const taxMinor = chargeOf(before).taxAmount - chargeOf(after).taxAmount;
  const transaction = settleTransaction(draft, addPayment(draft, before, portion, taxMinor), null);
  takePortion(draft, portion);
  draft.ledger.push(...postSettled(before, transaction, draft.newId, draft.now));
  return draft.invoices.patch(id, { paidInParts: after.paidInParts, updatedAt: draft.now });
}

/** Puts the paid parts of an invoice back on account, because the invoice is voided. */
export function releaseParts(draft: Draft, { id }: InvoiceRow): void {
  for (const row of draft.transactions.all()) {
    const isPart = row.invoiceId === id && row.receiptId !== null && row.status === 'succeeded';
    if (isPart) releasePart(draft, row, row.receiptId);
  }
  if (draft.invoices.get(id).paidInParts > 0n) draft.invoices.patch(id, { paidInParts: 0n });
}

function releasePart(draft: Draft, part: TransactionRow, receiptId: string): void {
  const invoice = draft.invoices.get(part.invoiceId ?? '');
  const receipt = draft.receipts.get(receiptId);
  draft.ledger.push(
    ...postReturned(invoice, part, draft.newId, draft.now),
    ...postReceipt('receipt.released', receipt, part.amountMinor, draft.newId, draft.now),
  );
  draft.transactions.patch(part.id, {
    status: 'failed',
    stage: 'returned',
    declineCode: 'released',
    returnedAt: draft.now,
    updatedAt: draft.now,
  });
  change(draft, receiptId, { appliedMinor: receipt.appliedMinor - part.amountMinor });
}

/** Invoice that money on account has paid in full or in part. `transaction` pays the rest. `null` if an amount is still due. */
type Covered = { readonly invoice: InvoiceRow; readonly transaction: TransactionRow | null };

/**
 * Pays a new invoice with money on account before it's charged (INS-73). Leaves a rest that can be charged, or pays the whole amount.
 * The caller settles the invoice with the returned payment.
 */
export function payFromAccount(draft: Draft, invoice: InvoiceRow, smallestCharge: bigint): Covered {
  const receipts = moneyOnAccount(draft, invoice.currency);
  const available = receipts.reduce((sum, receipt) => sum + leftOf(receipt), 0n);
  const due = chargeOf(invoice).total;
  const applied = amountBeforeCharge(due, available, smallestCharge);
  const portions = portionsFor(receipts, applied);
  const isFull = applied === due;
  for (const portion of isFull ? portions.slice(0, -1) : portions) payPart(draft, invoice, portion);
  const open = draft.invoices.get(invoice.id);
  const last = portions.at(-1);
  if (!isFull || last === undefined) return { invoice: open, transaction: null };
  const transaction = settleTransaction(draft, addPayment(draft, open, last, chargeOf(open).taxAmount), null);
  takePortion(draft, last);
  return { invoice: open, transaction };
}
