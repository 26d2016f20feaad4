import type { InvoiceStatus } from '../rows/enums.ts';
import type { InvoiceRow } from '../rows/rows.ts';

/**
 * Allowed status transitions (section 4 of the billing rules). Statuses without transitions are final
 * (BIL-24).
 */
const invoiceTransitions: { readonly [from in InvoiceStatus]: readonly InvoiceStatus[] } = {
  draft: ['outstanding', 'paid', 'void'],
  outstanding: ['draft', 'paid', 'void', 'uncollectible'],
  // Only a payment that the payer's bank returned reopens an invoice (INS-40).
  paid: ['outstanding'],
  void: [],
  uncollectible: [],
};

/**
 * Returns the fields that change with the status of an invoice. Throws if the transition isn't allowed, which
 * indicates a bug.
 */
export function moveInvoice(
  invoice: Pick<InvoiceRow, 'id' | 'status' | 'paidAt'>,
  to: InvoiceStatus,
  at: Date,
): Pick<InvoiceRow, 'status' | 'paidAt' | 'updatedAt'> {
  if (!invoiceTransitions[invoice.status].includes(to))
    throw new Error(`The invoice ${invoice.id} cannot become ${to}: it is ${invoice.status}.`);
  return {
    status: to,
    paidAt: to === 'paid' ? at : to === 'outstanding' ? null : invoice.paidAt,
    updatedAt: at,
  };
}
