// Sets the final status of invoices (paid, void, or uncollectible), and records the ledger transfers.

import { invoiceEvent } from '../../events/payment-events.ts';
import { creditLeft } from '../../invoicing/credit-note.ts';
import { buyerOf } from '../../invoicing/parties.ts';
import { moveInvoice } from '../../invoicing/state.ts';
import {
  postIssued,
  postReservation,
  postReturned,
  postSettled,
  postSettledOutside,
  postVoided,
  postWrittenOff,
} from '../../ledger/documents.ts';
import type { InvoiceStatus } from '../../rows/enums.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { isoDate, utcMidnight } from '../../time/period.ts';
import { dropOverdue } from '../schedule/notices.ts';
import type { Draft } from '../state/draft.ts';
import { replaceAwaited } from './awaited.ts';
import { returnCorrections } from './corrections.ts';
import { addCreditNote, announceCreditNote, wasPaymentRequested } from './credit-notes.ts';
import { amountsUsedBy, returnCredits } from './credits.ts';
import { releaseParts } from './receipts.ts';

/** Sets the status of an invoice. Instructions to the payer can no longer be paid once the invoice isn't outstanding. */
function move(draft: Draft, { id }: InvoiceRow, to: InvoiceStatus): InvoiceRow {
  if (to !== 'outstanding') replaceAwaited(draft, id);
  return draft.invoices.patch(id, moveInvoice(draft.invoices.get(id), to, draft.now));
}

/**
 * Finalizes an invoice: sets the issue date to today, records the current buyer and seller details, and posts
 * its ledger transfers. A finalized invoice is immutable (BIL-30).
 */
export function finalizeInvoice(draft: Draft, { id }: Pick<InvoiceRow, 'id'>): InvoiceRow {
  const invoice = draft.invoices.get(id);
  if (invoice.finalizedAt !== null) return invoice;
  const fromCredits = amountsUsedBy(draft, invoice).credits;
  draft.ledger.push(
    ...postReservation('credit.released', invoice, fromCredits, draft.newId, draft.now),
    ...postIssued(invoice, fromCredits, draft.newId, draft.now),
  );
  draft.freeze(id, { buyer: buyerOf(draft.customer), seller: draft.aggregate.environment.seller });
  const today = utcMidnight(draft.now);
  return draft.invoices.patch(id, { finalizedAt: draft.now, issueDate: today, dueDate: today });
}

/**
 * Marks an invoice as paid by a transaction. If `transaction` is `null`, nothing is charged, and a total
 * above 0 is written off (BIL-35).
 */
export function payInvoice(draft: Draft, open: InvoiceRow, transaction: TransactionRow | null): InvoiceRow {
  const invoice = finalizeInvoice(draft, open);
  const entries =
    transaction === null
      ? postWrittenOff(invoice, 'invoice.below_minimum', draft.newId, draft.now)
      : postSettled(invoice, transaction, draft.newId, draft.now);
  draft.ledger.push(...entries);
  dropOverdue(draft, invoice);
  return move(draft, invoice, 'paid');
}

/** Marks an outstanding invoice as paid outside Quittance, without a transaction (BIL-25). */
export function payOutside(draft: Draft, open: InvoiceRow): InvoiceRow {
  const invoice = finalizeInvoice(draft, open);
  draft.ledger.push(...postSettledOutside(invoice, draft.newId, draft.now));
  dropOverdue(draft, invoice);
  return move(draft, invoice, 'paid');
}

/** Ways to settle an invoice: by a transaction, without a charge because the total is too small, or by a payment outside Quittance. */
export type SettledBy = TransactionRow | 'nothing' | 'outside';

export const settleBy = (draft: Draft, invoice: InvoiceRow, by: SettledBy): InvoiceRow =>
  by === 'outside' ? payOutside(draft, invoice) : payInvoice(draft, invoice, by === 'nothing' ? null : by);

/**
 * Voids an open invoice, returns its customer credits and prepaid commitments, puts its paid parts on account, and emits `invoice.voided`. Issues a credit note if the
 * customer was asked to pay the invoice (DAT-10).
 */
export function voidInvoice(
  draft: Draft,
  invoice: InvoiceRow,
  isDemanded = wasPaymentRequested(invoice, draft.now),
): InvoiceRow {
  releaseParts(draft, invoice);
  const { credits: fromCredits, commitments } = amountsUsedBy(draft, invoice);
  draft.ledger.push(
    ...(invoice.finalizedAt === null
      ? postReservation('credit.released', invoice, fromCredits, draft.newId, draft.now)
      : postVoided(invoice, fromCredits, draft.newId, draft.now)),
  );
  returnCredits(draft, invoice.id);
  returnCorrections(draft, invoice, fromCredits + commitments);
  dropOverdue(draft, invoice);
  const voided = move(draft, invoice, 'void');
  draft.emit(invoiceEvent('invoice.voided', draft.customer, voided));
  const note = isDemanded ? addCreditNote(draft, invoice.id, creditLeft(invoice), { reason: 'void' }) : null;
  if (note !== null) announceCreditNote(draft, note);
  return draft.invoices.get(invoice.id);
}

/** Reopens a paid invoice after the payer's bank returned the money (INS-40). The caller emits the events. */
export function reopenInvoice(draft: Draft, invoice: InvoiceRow, returned: TransactionRow): InvoiceRow {
  draft.ledger.push(...postReturned(invoice, returned, draft.newId, draft.now));
  return move(draft, invoice, 'outstanding');
}

/** Settles an outstanding invoice after its full amount due was credited (DAT-12a). */
export function settleCredited(draft: Draft, invoice: InvoiceRow): InvoiceRow {
  dropOverdue(draft, invoice);
  return move(draft, invoice, 'paid');
}

/**
 * Voids an invoice that is too small to charge, and carries its charges (after discounts, before tax) over to
 * the subscription's next invoice (BIL-35). Emits `invoice.voided`.
 */
export function carryOver(
  draft: Draft,
  { id }: Pick<SubscriptionRow, 'id'>,
  { id: invoiceId, issueDate, subtotal, discountAmount }: InvoiceRow,
): InvoiceRow {
  const { carried } = draft.subscriptions.get(id);
  const charge = { invoiceId, issueDate: isoDate(issueDate), amount: String(subtotal - discountAmount) };
  draft.subscriptions.patch(id, { carried: [...carried, charge] });
  // The customer was never asked to pay the invoice, so no credit note is issued.
  return voidInvoice(draft, draft.invoices.get(invoiceId), false);
}

/** Marks an outstanding invoice as uncollectible. The caller emits the events. */
export function markUncollectible(draft: Draft, open: InvoiceRow): InvoiceRow {
  const invoice = finalizeInvoice(draft, open);
  draft.ledger.push(...postWrittenOff(invoice, 'invoice.uncollectible', draft.newId, draft.now));
  dropOverdue(draft, invoice);
  return move(draft, invoice, 'uncollectible');
}
