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
  description: 'Line item of an adjustment, in the format of an invoice line item.',
  fields: (t) => ({
    lineType: t.expose('lineType', { type: InvoiceLineType, description: 'Type of the line item.' }),
    featureName: t.exposeString('featureName', {
      nullable: true,
      description: "Name of the feature. `null` if the line item isn't related to a feature.",
    }),
    description: t.exposeString('description', { description: 'Text of the line item, shown to the payer.' }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'Number of units.' }),
    unitAmount: t.float({
      description: 'Price per unit, in the smallest currency unit.',
      resolve: ({ unitAmountRate, currency }) => unitAmountOf(unitAmountRate, currency),
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount before tax, in the smallest currency unit. Negative for a credit.',
    }),
    includedAmount: t.expose('includedAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Number of included units, before any overage. Always `null`.',
    }),
    usedAmount: t.expose('usedAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Number of used units. Always `null`.',
    }),
    overageAmount: t.expose('overageAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Number of charged units of overage. Always `null`.',
    }),
    discountType: t.exposeString('discountType', {
      nullable: true,
      description: 'Discount type. Always `null`.',
    }),
    discountValue: t.expose('discountValue', {
      type: 'SafeInt',
      nullable: true,
      description: 'Discount value. Always `null`.',
    }),
    discountName: t.exposeString('discountName', {
      nullable: true,
      description: 'Discount name. Always `null`.',
    }),
    chargeType: t.expose('chargeType', {
      type: InvoiceChargeType,
      description: 'Time at which the line item is charged, relative to its period.',
    }),
  }),
});

export const InvoiceAdjustment = builder.objectRef<AdjustmentShape>('InvoiceAdjustment').implement({
  description:
    'Result of an adjustment, in the format of an invoice: an invoice, or a credit note if the adjustment references an invoice.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'ID of the invoice (`inv_…`) or of the credit note (`crn_…`).' }),
    customerId: t.exposeID('customerId', { description: 'ID of the customer.' }),
    subscriptionId: t.exposeID('subscriptionId', {
      nullable: true,
      description:
        'ID of the subscription of the credited invoice. `null` if no invoice was credited, or if the invoice has no subscription.',
    }),
    invoiceNumber: t.exposeString('number', {
      description: 'Number of the document: `INV-…` for an invoice, `CN-…` for a credit note.',
    }),
    status: t.expose('status', {
      type: InvoiceStatus,
      description: 'Status of the invoice. A negative adjustment is always `paid`.',
    }),
    invoiceType: t.expose('type', { type: InvoiceType, description: 'Always `adjustment`.' }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Currency of all amounts, as a lowercase ISO 4217 code.',
    }),
    subtotal: t.expose('subtotal', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount before tax, in the smallest currency unit. Negative for a credit note.',
    }),
    discountAmount: t.expose('discountAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the discounts, in the smallest currency unit. Always 0.',
    }),
    creditApplied: t.expose('creditApplied', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the credits, in the smallest currency unit. Always 0.',
    }),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax in the smallest currency unit. Negative for a credit note.',
    }),
    tax: t.field({ type: InvoiceTax, description: 'Details of the tax calculation.', resolve: taxOf }),
    total: t.expose('total', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount including tax, in the smallest currency unit. Negative for a credit.',
    }),
    periodStart: t.expose('periodStart', { type: 'DateTime', description: 'Date of issue.' }),
    periodEnd: t.expose('periodEnd', { type: 'DateTime', description: 'Date of issue.' }),
    issueDate: t.expose('issueDate', { type: 'DateTime', description: 'Date of issue, in UTC.' }),
    dueDate: t.expose('dueDate', {
      type: 'DateTime',
      description: 'Date by which the invoice must be paid, in UTC.',
    }),
    planName: t.exposeString('planName', { nullable: true, description: 'Always `null`.' }),
    memo: t.exposeString('memo', {
      nullable: true,
      description: 'Description of a credit note. `null` if an invoice was issued.',
    }),
    poNumber: t.exposeString('poNumber', { nullable: true, description: 'Always `null`.' }),
    reference: t.exposeString('reference', { nullable: true, description: 'Always `null`.' }),
    metadata: t.expose('metadata', { type: 'Json', description: 'Custom key-value data of the adjustment.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: "Time at which the document was created. In a sandbox, the test clock's time.",
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: "Time of the last update. In a sandbox, the test clock's time.",
    }),
    lineItems: t.field({
      type: [AdjustmentLine],
      description: 'Line items of the document.',
      resolve: (adjustment, _args, ctx) => adjustmentLines(ctx, adjustment),
    }),
    invoice: t.field({
      type: Invoice,
      nullable: true,
      description: 'Issued invoice. `null` if a credit note was issued.',
      resolve: ({ invoice }) => invoice,
    }),
    creditNote: t.field({
      type: CreditNote,
      nullable: true,
      description: 'Issued credit note. `null` if an invoice was issued.',
      resolve: ({ creditNote }) => creditNote,
    }),
    object: t.string({
      description: 'Type of the document: `invoice` or `credit_note`.',
      resolve: ({ creditNote }) => (creditNote === null ? 'invoice' : 'credit_note'),
    }),
    livemode: t.livemode(),
  }),
});

restView('InvoiceAdjustment', 'InvoiceAdjustment', invoiceFields);
