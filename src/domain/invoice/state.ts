import type { InvoiceRow } from '../subscription/rows.ts';
import type { InvoiceStatus } from '../words.ts';

/** Which statuses may follow which (section 4 of the billing rules); those without successors are terminal (BIL-24). */
export const invoiceTransitions: { readonly [from in InvoiceStatus]: readonly InvoiceStatus[] } = {
  draft: ['outstanding', 'paid'],
  outstanding: ['paid', 'void', 'uncollectible'],
  paid: [],
  void: [],
  uncollectible: [],
};

/** The invoice in another status. Throws where the rules know no such step, which no caller can cause. */
export function moveInvoice(invoice: InvoiceRow, to: InvoiceStatus, at: Date): InvoiceRow {
  if (!invoiceTransitions[invoice.status].includes(to))
    throw new Error(`The invoice ${invoice.id} cannot become ${to}: it is ${invoice.status}.`);
  return { ...invoice, status: to, paidAt: to === 'paid' ? at : invoice.paidAt, updatedAt: at };
}
