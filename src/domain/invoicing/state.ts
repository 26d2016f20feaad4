import type { InvoiceStatus } from '../enums.ts';
import type { InvoiceRow } from '../subscription/state/rows.ts';

/**
 * Which statuses may follow which (section 4 of the billing rules); those without successors are terminal
 * (BIL-24).
 */
export const invoiceTransitions: { readonly [from in InvoiceStatus]: readonly InvoiceStatus[] } = {
  draft: ['outstanding', 'paid'],
  outstanding: ['paid', 'void', 'uncollectible'],
  paid: [],
  void: [],
  uncollectible: [],
};

/**
 * What changes of an invoice with another status. Throws where the rules know no such step, which no caller
 * can cause.
 */
export function moveInvoice(
  invoice: Pick<InvoiceRow, 'id' | 'status' | 'paidAt'>,
  to: InvoiceStatus,
  at: Date,
): Pick<InvoiceRow, 'status' | 'paidAt' | 'updatedAt'> {
  if (!invoiceTransitions[invoice.status].includes(to))
    throw new Error(`The invoice ${invoice.id} cannot become ${to}: it is ${invoice.status}.`);
  return { status: to, paidAt: to === 'paid' ? at : invoice.paidAt, updatedAt: at };
}
