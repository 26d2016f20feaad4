// Writes invoices: finalized invoices, or open invoices that can be revised until their checkout is paid
// (BIL-30).
import { usesOf } from '../../invoicing/customer-credits.ts';
import type { IssuedInvoice } from '../../invoicing/draft.ts';
import { buyerOf } from '../../invoicing/parties.ts';
import { noTotals } from '../../invoicing/totals.ts';
import { postIssued, postReservation } from '../../ledger/documents.ts';
import type { InvoiceLineRow, InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import type { Draft } from '../state/draft.ts';
import { amountsUsedBy, deductCredits, restoreCredits } from './credits.ts';

function storeLines(draft: Draft, invoiceId: string, lines: readonly InvoiceLineRow[]): void {
  draft.lines.push(...lines);
  draft.freeze(invoiceId, { buyer: buyerOf(draft.customer), seller: draft.aggregate.environment.seller });
}

/** Writes a new invoice with its lines, and records its buyer and seller details (DAT-1). */
export function storeInvoice(
  draft: Draft,
  invoice: InvoiceRow,
  lines: readonly InvoiceLineRow[],
): InvoiceRow {
  storeLines(draft, invoice.id, lines);
  return draft.invoices.add(invoice);
}

/** Writes an outstanding invoice with its lines, used customer credits, and ledger transfers. Emits no event. */
export function addInvoice(draft: Draft, invoice: InvoiceRow, lines: readonly InvoiceLineRow[]): InvoiceRow {
  deductCredits(draft, lines);
  draft.ledger.push(
    ...postIssued(invoice, amountsUsedBy(draft, invoice, usesOf(lines)).credits, draft.newId, draft.now),
  );
  return storeInvoice(draft, invoice, lines);
}

/** Removes the lines, used credits, and credit reservation of an open invoice before a revision. */
function clearLines(draft: Draft, invoice: InvoiceRow): void {
  const fromCredits = amountsUsedBy(draft, invoice).credits;
  draft.ledger.push(...postReservation('credit.released', invoice, fromCredits, draft.newId, draft.now));
  restoreCredits(draft, invoice.id);
  draft.clearLines(invoice.id);
}

/**
 * Writes an open invoice with its lines and reserves the customer credits that they use. The invoice
 * becomes outstanding when it's finalized. Emits no event. `revised` is the open invoice to replace; its ID
 * and number don't change. `make` is called after the credits of `revised` are released.
 */
export function putOpenInvoice(
  draft: Draft,
  revised: InvoiceRow | null,
  make: () => IssuedInvoice,
): InvoiceRow {
  if (revised !== null) clearLines(draft, revised);
  const issued = make();
  const id = revised?.id ?? issued.invoice.id;
  const lines = issued.lines.map((line) => ({ ...line, invoiceId: id }));
  const invoice: InvoiceRow = { ...issued.invoice, ...unchangedFields(revised), finalizedAt: null };
  deductCredits(draft, lines);
  const fromCredits = amountsUsedBy(draft, invoice, usesOf(lines)).credits;
  draft.ledger.push(...postReservation('credit.reserved', invoice, fromCredits, draft.newId, draft.now));
  if (revised === null) return storeInvoice(draft, invoice, lines);
  storeLines(draft, id, lines);
  return draft.invoices.patch(id, invoice);
}

const unchangedFields = (revised: InvoiceRow | null): Partial<InvoiceRow> =>
  revised === null
    ? {}
    : {
        id: revised.id,
        seq: revised.seq,
        number: revised.number,
        buyerId: revised.buyerId,
        sellerId: revised.sellerId,
        createdAt: revised.createdAt,
      };

/**
 * Turns the invoice of a checkout that no longer requires a payment into a draft without lines and totals. The draft
 * keeps its number for a later revision.
 */
export function parkInvoice(draft: Draft, invoice: InvoiceRow): InvoiceRow {
  clearLines(draft, invoice);
  return draft.invoices.patch(invoice.id, {
    ...noTotals,
    status: 'draft',
    tax: null,
    updatedAt: draft.now,
  });
}

/** Returns the draft invoice of a checkout that no longer requires a payment. `null` if there is no draft invoice. */
export const parkedInvoice = (draft: Draft, { id }: Pick<SubscriptionRow, 'id'>): InvoiceRow | null =>
  draft.invoices.all().find(({ subscriptionId, status }) => subscriptionId === id && status === 'draft') ??
  null;
