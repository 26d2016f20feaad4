// How an invoice ends: paid, voided or given up, each with its ledger transfers.

import type { InvoiceStatus } from '../../enums.ts';
import { moveInvoice } from '../../invoicing/state.ts';
import { postSettled, postSettledOutside, postVoided, postWrittenOff } from '../../ledger/documents.ts';
import { invoiceEvent } from '../../payment-events.ts';
import { dropOverdue } from '../schedule/notices.ts';
import type { Draft } from '../state/draft.ts';
import type { InvoiceRow, TransactionRow } from '../state/rows.ts';
import { returnCredits } from './credits.ts';
import { takenBy } from './invoicing.ts';

/** Moves an invoice as it stands to another status. */
const move = (draft: Draft, invoice: InvoiceRow, to: InvoiceStatus): InvoiceRow =>
  draft.invoices.patch(invoice.id, moveInvoice(draft.invoices.get(invoice.id), to, draft.now));

/**
 * Settles an invoice by a transaction, or without one when there is nothing to charge: a total above 0 is
 * then written off (BIL-35).
 */
export function payInvoice(
  draft: Draft,
  invoice: InvoiceRow,
  transaction: TransactionRow | null,
): InvoiceRow {
  const entries =
    transaction === null
      ? postWrittenOff(invoice, 'invoice.below_minimum', draft.newId, draft.now)
      : postSettled(invoice, transaction, draft.newId, draft.now);
  draft.ledger.push(...entries);
  dropOverdue(draft, invoice);
  return move(draft, invoice, 'paid');
}

/**
 * Settles an outstanding invoice by money that came in outside the platform: no transaction describes it
 * (BIL-25).
 */
export function payOutside(draft: Draft, invoice: InvoiceRow): InvoiceRow {
  draft.ledger.push(...postSettledOutside(invoice, draft.newId, draft.now));
  dropOverdue(draft, invoice);
  return move(draft, invoice, 'paid');
}

/**
 * What settles an invoice: a charge; nothing, its total being too small to charge; money that came in outside
 * the platform.
 */
export type SettledBy = TransactionRow | 'nothing' | 'outside';

/** Settles an invoice by a charge, by nothing, or by money from outside the platform. */
export const settleBy = (draft: Draft, invoice: InvoiceRow, by: SettledBy): InvoiceRow =>
  by === 'outside' ? payOutside(draft, invoice) : payInvoice(draft, invoice, by === 'nothing' ? null : by);

/** Voids an outstanding invoice, returns the credits it took and emits `invoice.voided`. */
export function voidInvoice(draft: Draft, invoice: InvoiceRow): InvoiceRow {
  draft.ledger.push(...postVoided(invoice, takenBy(draft.creditUses, invoice), draft.newId, draft.now));
  returnCredits(draft, invoice.id);
  dropOverdue(draft, invoice);
  const voided = move(draft, invoice, 'void');
  draft.emit(invoiceEvent('invoice.voided', draft.customer, voided));
  return voided;
}

/** Marks an outstanding invoice uncollectible. Emits nothing: the caller does. */
export function giveUpInvoice(draft: Draft, invoice: InvoiceRow): InvoiceRow {
  draft.ledger.push(...postWrittenOff(invoice, 'invoice.uncollectible', draft.newId, draft.now));
  dropOverdue(draft, invoice);
  return move(draft, invoice, 'uncollectible');
}
