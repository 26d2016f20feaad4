import type { InvoiceRow } from '../subscription/state/rows.ts';

/**
 * What credit notes can still take back of an invoice, minor units: its total less the credit notes that name
 * it, among those given.
 */
export const creditLeft = (
  { id, total }: Pick<InvoiceRow, 'id' | 'total'>,
  invoices: readonly Pick<InvoiceRow, 'correctsInvoiceId' | 'total'>[],
): bigint =>
  invoices.reduce((left, note) => (note.correctsInvoiceId === id ? left + note.total : left), total);
