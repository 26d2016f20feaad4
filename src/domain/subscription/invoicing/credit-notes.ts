// Creates credit notes, which fully or partially credit issued invoices (DAT-10 … DAT-12). A credit note
// doesn't move money.

import { creditNoteCreated } from '../../events/payment-events.ts';
import { creditLeft, creditNoteAmounts } from '../../invoicing/credit-note.ts';
import { minOf } from '../../money/money.ts';
import type { CreditNoteReason } from '../../rows/enums.ts';
import type { CreditNoteRow, InvoiceRow, Metadata } from '../../rows/rows.ts';
import { utcMidnight } from '../../time/period.ts';
import type { Draft } from '../state/draft.ts';

type NoteDetails = {
  readonly reason: CreditNoteReason;
  readonly id?: string;
  readonly description?: string;
  readonly refundId?: string;
  readonly metadata?: Metadata;
};

/**
 * Writes a credit note for an invoice. The amount is limited to the part of the invoice that isn't credited
 * yet. Returns `null` and writes nothing if the invoice is fully credited.
 */
export function addCreditNote(
  draft: Draft,
  invoiceId: string,
  amountMinor: bigint,
  { reason, id, description, refundId, metadata = {} }: NoteDetails,
): CreditNoteRow | null {
  const invoice = draft.invoices.get(invoiceId);
  const total = minOf(amountMinor, creditLeft(invoice));
  if (total <= 0n) return null;
  const { buyerId, sellerId, customerId, subscriptionId, currency, tax } = invoice;
  const taken = creditNoteAmounts(invoice, total);
  const note: CreditNoteRow = {
    id: id ?? draft.newId('crn'),
    seq: null,
    customerId,
    invoiceId,
    subscriptionId,
    refundId: refundId ?? null,
    number: null,
    reason,
    description: description ?? null,
    currency,
    subtotal: -taken.subtotal,
    taxAmount: -taken.taxAmount,
    total: -taken.total,
    tax,
    metadata,
    issueDate: utcMidnight(draft.now),
    buyerId,
    sellerId,
    createdAt: draft.now,
  };
  draft.creditNotes.push(note);
  draft.invoices.patch(invoiceId, {
    creditedAmount: invoice.creditedAmount + total,
    creditedTax: invoice.creditedTax + taken.taxAmount,
    creditedDue: invoice.status === 'outstanding' ? invoice.creditedDue + total : invoice.creditedDue,
    updatedAt: draft.now,
  });
  return note;
}

export const announceCreditNote = (draft: Draft, note: CreditNoteRow): void =>
  draft.emit(creditNoteCreated(draft.customer, draft.invoices.get(note.invoiceId), note));

/**
 * Types of invoices that customers are asked to pay. Voiding such an invoice issues a credit note. Other
 * invoices are canceled together with their purchase.
 */
const paymentRequestTypes: ReadonlySet<InvoiceRow['type']> = new Set(['recurring', 'overage', 'adjustment']);

/**
 * Returns true if the customer was asked to pay an invoice: it was sent, or its due date has been reached.
 * Unpaid checkouts and declined purchases or plan changes don't count (DAT-10).
 */
export const wasPaymentRequested = ({ type, finalizedAt, dueDate, sentAt }: InvoiceRow, now: Date): boolean =>
  paymentRequestTypes.has(type) && finalizedAt !== null && (sentAt !== null || dueDate <= now);
