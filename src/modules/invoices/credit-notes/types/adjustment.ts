import { minorToRate } from '../../../../domain/money/money.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { Context } from '../../../../request/context.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { InvoiceChargeType, InvoiceLineType, InvoiceStatus, InvoiceType } from '../../invoices/enums.ts';
import { type LineItem, loadLines } from '../../invoices/load-parts.ts';
import { Invoice, invoiceFields } from '../../invoices/types/invoice.ts';
import { unitAmountOf } from '../../invoices/types/lines.ts';
import { InvoiceTax, taxOf } from '../../invoices/types/tax.ts';
import { loadNoteLines } from '../load-lines.ts';
import type { AdjustmentShape } from '../shape-adjustment.ts';
import { CreditNote } from './credit-note.ts';

/** Returns the line items of an adjustment. Credit note lines have quantity 1 and a negative amount. */
async function adjustmentLines(
  ctx: Context,
  { invoice, creditNote }: AdjustmentShape,
): Promise<readonly LineItem[]> {
  if (invoice !== null) return loadLines(ctx, invoice);
  const lines = creditNote === null ? [] : await loadNoteLines(ctx, creditNote);
  return lines.map(({ line, amount }) => ({
    ...line,
    quantity: 1n,
    unitAmountRate: minorToRate(amount, line.currency),
    exactUnitAmount: null,
    exactQuantity: null,
    amount,
    includedAmount: null,
    usedAmount: null,
    overageAmount: null,
    discountType: null,
    discountValue: null,
    discountName: null,
  }));
}

const AdjustmentLine = builder.objectRef<LineItem>('InvoiceAdjustmentLine').implement({
  description: 'Line item of an adjustment. Has the fields of an invoice line item.',
  fields: (t) => ({
    lineType: t.member('lineType', InvoiceLineType).describe('Type of the line item.'),
    featureName: t
      .maybe('featureName', 'String')
      .describe("Name of the feature. `null` if the line item isn't related to a feature."),
    description: t
      .member('description', 'String')
      .describe('Description of the line item, shown to the payer.'),
    quantity: t
      .member('quantity', 'SafeInt')
      .describe('Number of units in the line item, rounded to a whole number.'),
    exactQuantity: t
      .maybe('exactQuantity', 'Decimal')
      .describe(
        "Exact number of units in the line item. `null` unless the feature's meter has decimal places.",
      ),
    unitAmount: t.float({
      description: 'Price per unit, in the smallest currency unit.',
      resolve: unitAmountOf,
    }),
    amount: t
      .member('amount', 'MINOR')
      .describe('Amount before tax, in the smallest currency unit. Negative if the adjustment is negative.'),
    includedAmount: t
      .maybe('includedAmount', 'SafeInt')
      .describe('Number of included units, before any overage. Always `null`.'),
    usedAmount: t.maybe('usedAmount', 'SafeInt').describe('Number of used units. Always `null`.'),
    overageAmount: t
      .maybe('overageAmount', 'SafeInt')
      .describe('Number of overage units that are charged. Always `null`.'),
    discountType: t.maybe('discountType', 'String').describe('Discount type. Always `null`.'),
    discountValue: t.maybe('discountValue', 'SafeInt').describe('Discount value. Always `null`.'),
    discountName: t.maybe('discountName', 'String').describe('Discount name. Always `null`.'),
    chargeType: t
      .member('chargeType', InvoiceChargeType)
      .describe('Timing of the charge, relative to the period that the line item covers.'),
  }),
});

export const InvoiceAdjustment = builder.objectRef<AdjustmentShape>('InvoiceAdjustment').implement({
  description:
    'Document issued for an adjustment: a credit note if the adjustment credits an invoice, otherwise an invoice. Both documents have the fields of an invoice.',
  fields: (t) => ({
    id: t.member('id', 'String').describe('ID of the invoice (`inv_…`) or of the credit note (`crn_…`).'),
    customerId: t.member('customerId', 'ID').describe('ID of the customer.'),
    subscriptionId: t
      .maybe('subscriptionId', 'ID')
      .describe(
        "ID of the credited invoice's subscription. `null` if no invoice was credited, or if the invoice has no subscription.",
      ),
    invoiceNumber: t
      .member('number', 'String')
      .describe('Number of the document: `INV-…` for an invoice, `CN-…` for a credit note.'),
    status: t
      .member('status', InvoiceStatus)
      .describe('Status of the invoice. A negative adjustment is always `paid`.'),
    invoiceType: t.member('type', InvoiceType).describe('Always `adjustment`.'),
    currency: t
      .member('currency', Currency)
      .describe('Currency of all amounts, as a lowercase ISO 4217 code.'),
    subtotal: t
      .member('subtotal', 'MINOR')
      .describe('Amount before tax, in the smallest currency unit. Negative if the adjustment is negative.'),
    discountAmount: t
      .member('discountAmount', 'MINOR')
      .describe('Sum of the discounts, in the smallest currency unit. Always 0.'),
    creditApplied: t
      .member('creditApplied', 'MINOR')
      .describe('Sum of the applied customer credits, in the smallest currency unit. Always 0.'),
    taxAmount: t
      .member('taxAmount', 'MINOR')
      .describe('Tax in the smallest currency unit. Negative for a credit note.'),
    tax: t.field({ type: InvoiceTax, description: 'Tax details of the document.', resolve: taxOf }),
    total: t
      .member('total', 'MINOR')
      .describe(
        'Amount including tax, in the smallest currency unit. Negative if the adjustment is negative.',
      ),
    periodStart: t
      .member('periodStart', 'DateTime')
      .describe('Start of the invoiced period. Always the date of issue.'),
    periodEnd: t
      .member('periodEnd', 'DateTime')
      .describe('End of the invoiced period. Always the date of issue.'),
    issueDate: t.member('issueDate', 'DateTime').describe('Date on which the document was issued, in UTC.'),
    dueDate: t.member('dueDate', 'DateTime').describe('Date by which the invoice must be paid, in UTC.'),
    planName: t.maybe('planName', 'String').describe('Always `null`.'),
    memo: t
      .maybe('memo', 'String')
      .describe('Description of a credit note. `null` if an invoice was issued.'),
    poNumber: t.maybe('poNumber', 'String').describe('Always `null`.'),
    reference: t.maybe('reference', 'String').describe('Always `null`.'),
    metadata: t.member('metadata', 'Json').describe('Custom key-value data of the adjustment.'),
    createdAt: t
      .member('createdAt', 'DateTime')
      .describe("Time at which the document was created. In a sandbox, the test clock's time."),
    updatedAt: t
      .member('updatedAt', 'DateTime')
      .describe("Time of the last update to the document. In a sandbox, the test clock's time."),
    lineItems: t.field({
      type: [AdjustmentLine],
      description: 'Line items of the document.',
      resolve: (adjustment, _args, ctx) => adjustmentLines(ctx, adjustment),
    }),
    invoice: t.maybe('invoice', Invoice).describe('Issued invoice. `null` if a credit note was issued.'),
    creditNote: t
      .maybe('creditNote', CreditNote)
      .describe('Issued credit note. `null` if an invoice was issued.'),
    object: t.string({
      description: 'Type of the document: `invoice` or `credit_note`.',
      resolve: ({ creditNote }) => (creditNote === null ? 'invoice' : 'credit_note'),
    }),
    livemode: t.livemode(),
  }),
});

restView('InvoiceAdjustment', 'InvoiceAdjustment', invoiceFields, {
  absentWhenUnset: ['lineItems.exactQuantity'],
});
