import { amountDue, creditNoteNumberText } from '../../../../domain/invoicing/credit-note.ts';
import { exponentOf, maxOf } from '../../../../domain/money/money.ts';
import { invoiceNumberText } from '../../../../domain/rows/invoice-number.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import { noteDownloadLink } from '../../../invoices/credit-notes/sign-link.ts';
import { type CreditNoteRow, loadNotesOf } from '../../../invoices/credit-notes/store.ts';
import { InvoiceStatus, InvoiceType } from '../../../invoices/invoices/enums.ts';
import { loadLines } from '../../../invoices/invoices/load-parts.ts';
import { downloadUrl } from '../../../invoices/invoices/sign-link.ts';
import { PayerInvoiceLine } from '../../../invoices/invoices/types/payer-line.ts';
import { Currency } from '../../../organization/currencies/enums.ts';

const PortalCreditNote = builder.objectRef<CreditNoteRow>('PortalCreditNote').implement({
  description: 'Credit note in the customer portal.',
  fields: (t) => ({
    creditNoteId: t.exposeID('id', { description: 'Unique identifier with the prefix `crn_`.' }),
    creditNoteNumber: t.string({
      description: 'Credit note number: `CN-` and a sequential number.',
      resolve: ({ number }) => creditNoteNumberText(number),
    }),
    total: t.expose('total', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Credited amount including tax, in the smallest currency unit. Negative.',
    }),
    issueDate: t.expose('issueDate', { type: 'DateTime', description: 'Date of issue, in UTC.' }),
    downloadUrl: t.field({
      type: 'String',
      description: 'URL for downloading the PDF without further credentials. Valid for 7 days.',
      resolve: async ({ id }, _args, ctx) => (await noteDownloadLink(ctx, id)).url,
    }),
  }),
});

export const PortalInvoice = builder.objectRef<Row<'Invoice'>>('PortalInvoice').implement({
  description: 'Invoice as shown to the payer.',
  fields: (t) => ({
    invoiceId: t.exposeID('id', { description: 'ID of the invoice, with the prefix `inv_`.' }),
    invoiceNumber: t.string({
      description: 'Invoice number: `INV-` and a sequential number.',
      resolve: ({ number }) => invoiceNumberText(number),
    }),
    status: t.expose('status', { type: InvoiceStatus, description: 'Status of the invoice.' }),
    invoiceType: t.expose('type', { type: InvoiceType, description: 'Reason the invoice was created.' }),
    planName: t.exposeString('planName', {
      nullable: true,
      description: "Name of the plan at the time of issue. `null` if the invoice isn't related to a plan.",
    }),
    memo: t.exposeString('memo', {
      nullable: true,
      description: 'Note to the payer. `null` if not set.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Currency of all amounts of the invoice, as a lowercase ISO 4217 code.',
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimals of the currency: 0 or 2.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    discountAmount: t.expose('discountAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Discount in the smallest currency unit.',
    }),
    creditApplied: t.expose('creditApplied', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount covered by proration credits and customer credits, in the smallest currency unit.',
    }),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax in the total, in the smallest currency unit.',
    }),
    total: t.expose('total', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Total including tax, in the smallest currency unit.',
    }),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Unpaid amount in the smallest currency unit: the total minus the credited amount. 0 if the invoice is settled.',
      resolve: amountDue,
    }),
    amountPaid: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Amount paid, in the smallest currency unit: the total minus the amount credited before payment. 0 unless the invoice is paid.',
      resolve: ({ status, total, creditedDue }) => (status === 'paid' ? maxOf(0n, total - creditedDue) : 0n),
    }),
    creditNotes: t.field({
      type: [PortalCreditNote],
      description: 'Credit notes of the invoice, oldest first.',
      resolve: ({ id }, _args, ctx) => loadNotesOf(ctx, id),
    }),
    periodStart: t.expose('periodStart', {
      type: 'DateTime',
      description: 'Start of the period that the invoice covers, inclusive.',
    }),
    periodEnd: t.expose('periodEnd', {
      type: 'DateTime',
      description: 'End of the period that the invoice covers, exclusive.',
    }),
    issueDate: t.expose('issueDate', { type: 'DateTime', description: 'Date of issue, in UTC.' }),
    dueDate: t.expose('dueDate', {
      type: 'DateTime',
      description: 'Date by which the invoice must be paid, in UTC.',
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: "Time at which the invoice was paid. `null` if it isn't paid.",
    }),
    downloadUrl: t.field({
      type: 'String',
      description: 'URL for downloading the PDF without further credentials. Valid for 7 days.',
      resolve: async ({ id }, _args, ctx) => (await downloadUrl(ctx, id)).url,
    }),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: 'Line items, in the order shown on the invoice.',
      resolve: (invoice, _args, ctx) => loadLines(ctx, invoice),
    }),
  }),
});

export const PortalInvoiceConnection = connectionOf('PortalInvoice', PortalInvoice, 'invoices');
