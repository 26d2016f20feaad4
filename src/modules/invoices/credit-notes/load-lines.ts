import { noteLines } from '../../../domain/invoicing/credit-note.ts';
import type { InvoiceLineType } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import { type LineItem, loadLines } from '../invoices/load-parts.ts';
import { type CreditNoteRow, loadNotesOf } from './store.ts';

/** Amount that a credit note credits for one invoice line item. Negative, in minor units. */
export type NoteLine = {
  readonly invoiceLineId: string;
  readonly lineType: InvoiceLineType;
  readonly description: string;
  readonly featureName: string | null;
  readonly amount: bigint;
  readonly line: LineItem;
};

/**
 * Returns the credit note's lines in the order of the invoice. Omits line items that aren't credited. Batched: runs two SQL statements for
 * all credit notes on a page.
 */
export async function loadNoteLines(
  ctx: Context,
  { id, invoiceId, currency }: Pick<CreditNoteRow, 'id' | 'invoiceId' | 'currency'>,
): Promise<NoteLine[]> {
  const [lines, notes] = await Promise.all([
    loadLines(ctx, { id: invoiceId, currency }),
    loadNotesOf(ctx, invoiceId),
  ]);
  const amounts = noteLines(
    lines,
    notes.map(({ subtotal }) => -subtotal),
  );
  const own = amounts[notes.findIndex((note) => note.id === id)] ?? [];
  return lines.flatMap((line, index) => {
    const amount = own[index] ?? 0n;
    if (amount === 0n) return [];
    const { id: invoiceLineId, lineType, description, featureName } = line;
    return [{ invoiceLineId, lineType, description, featureName, amount: -amount, line }];
  });
}
