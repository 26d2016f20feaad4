import { creditNoteNumberText } from '../../../domain/invoicing/credit-note.ts';
import { invoiceNumberText } from '../../../domain/rows/invoice-number.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { CreditNoteRow } from './store.ts';

/** Adjustment document with the fields of an invoice. */
export type AdjustmentShape = Pick<
  Row<'Invoice'>,
  | 'id'
  | 'customerId'
  | 'subscriptionId'
  | 'status'
  | 'type'
  | 'currency'
  | 'subtotal'
  | 'discountAmount'
  | 'creditApplied'
  | 'taxAmount'
  | 'total'
  | 'tax'
  | 'periodStart'
  | 'periodEnd'
  | 'issueDate'
  | 'dueDate'
  | 'planName'
  | 'memo'
  | 'poNumber'
  | 'reference'
  | 'metadata'
  | 'createdAt'
  | 'updatedAt'
> & {
  readonly number: string;
  readonly invoice: Row<'Invoice'> | null;
  readonly creditNote: CreditNoteRow | null;
};

/** Returns an adjustment that was issued as an invoice, with the fields of an adjustment document. */
export const ofInvoice = (invoice: Row<'Invoice'>): AdjustmentShape => ({
  ...invoice,
  number: invoiceNumberText(invoice.number),
  invoice,
  creditNote: null,
});

/** Returns a credit note with the fields of a paid invoice. */
export const ofCreditNote = (creditNote: CreditNoteRow): AdjustmentShape => {
  const { issueDate, createdAt, description, number } = creditNote;
  return {
    ...creditNote,
    number: creditNoteNumberText(number),
    status: 'paid',
    type: 'adjustment',
    discountAmount: 0n,
    creditApplied: 0n,
    periodStart: issueDate,
    periodEnd: issueDate,
    dueDate: issueDate,
    planName: null,
    memo: description,
    poNumber: null,
    reference: null,
    updatedAt: createdAt,
    invoice: null,
    creditNote,
  };
};
