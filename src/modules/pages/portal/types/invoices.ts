import { amountDue, amountPaid, creditNoteNumberText } from '../../../../domain/invoicing/credit-note.ts';
import { exponentOf } from '../../../../domain/money/money.ts';
import { invoiceNumberText } from '../../../../domain/rows/invoice-number.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import { noteDownloadLink } from '../../../invoices/credit-notes/sign-link.ts';
import { type CreditNoteRow, loadNotesOf } from '../../../invoices/credit-notes/store.ts';
import { InvoiceStatus, InvoiceType } from '../../../invoices/invoices/enums.ts';
import { loadLines, loadPayUrl } from '../../../invoices/invoices/load-parts.ts';
import { downloadUrl } from '../../../invoices/invoices/sign-link.ts';
import { PayerInvoiceLine } from '../../../invoices/invoices/types/payer-line.ts';
import { Currency } from '../../../organization/currencies/enums.ts';

const PortalCreditNote = builder.objectRef<CreditNoteRow>('PortalCreditNote').implement({
  description: 'Credit note as shown in the customer portal.',
  fields: (t) => ({
    creditNoteId: t.member('id', 'ID').describe('Unique identifier with the prefix `crn_`.'),
    creditNoteNumber: t.string({
      description: 'Credit note number: `CN-` and a sequential number.',
      resolve: ({ number }) => creditNoteNumberText(number),
    }),
    total: t
      .member('total', 'MINOR')
      .describe('Credited amount including tax, in the smallest currency unit. Negative.'),
    issueDate: t
      .member('issueDate', 'DateTime')
      .describe('Date on which the credit note was issued, in UTC.'),
    downloadUrl: t.field({
      type: 'String',
      description: 'URL for downloading the PDF without credentials. Valid for 7 days.',
      resolve: async ({ id }, _args, ctx) => (await noteDownloadLink(ctx, id)).url,
    }),
  }),
});

export const PortalInvoice = builder.objectRef<Row<'Invoice'>>('PortalInvoice').implement({
  description: 'Invoice as shown to the payer.',
  fields: (t) => ({
    invoiceId: t.member('id', 'ID').describe('ID of the invoice, with the prefix `inv_`.'),
    invoiceNumber: t.string({
      description: 'Invoice number: `INV-` and a sequential number.',
      resolve: ({ number }) => invoiceNumberText(number),
    }),
    status: t.member('status', InvoiceStatus).describe('Status of the invoice.'),
    invoiceType: t.member('type', InvoiceType).describe('Reason the invoice was created.'),
    planName: t
      .maybe('planName', 'String')
      .describe("Name of the plan at the time of issue. `null` if the invoice isn't related to a plan."),
    memo: t.maybe('memo', 'String').describe('Note to the payer. `null` if not set.'),
    currency: t
      .member('currency', Currency)
      .describe('Currency of all amounts of the invoice, as a lowercase ISO 4217 code.'),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    discountAmount: t.member('discountAmount', 'MINOR').describe('Discount in the smallest currency unit.'),
    creditApplied: t
      .member('creditApplied', 'MINOR')
      .describe('Amount covered by proration credits and customer credits, in the smallest currency unit.'),
    taxAmount: t
      .member('taxAmount', 'MINOR')
      .describe('Tax in the invoice total, in the smallest currency unit.'),
    total: t.member('total', 'MINOR').describe('Total including tax, in the smallest currency unit.'),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Unpaid amount in the smallest currency unit: the total minus the credited amount and the paid parts. 0 if the invoice is settled.',
      resolve: amountDue,
    }),
    amountPaid: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Amount paid, in the smallest currency unit: the paid parts of an outstanding invoice, or the total of a paid invoice minus the amount credited before payment.',
      resolve: amountPaid,
    }),
    creditNotes: t.field({
      type: [PortalCreditNote],
      description: 'Credit notes of the invoice, oldest first.',
      resolve: ({ id }, _args, ctx) => loadNotesOf(ctx, id),
    }),
    periodStart: t
      .member('periodStart', 'DateTime')
      .describe('Start of the period that the invoice covers, inclusive.'),
    periodEnd: t
      .member('periodEnd', 'DateTime')
      .describe('End of the period that the invoice covers, exclusive.'),
    issueDate: t.member('issueDate', 'DateTime').describe('Date of issue, in UTC.'),
    dueDate: t.member('dueDate', 'DateTime').describe('Date by which the invoice must be paid, in UTC.'),
    paidAt: t
      .maybe('paidAt', 'DateTime')
      .describe("Time at which the invoice was paid. `null` if the invoice isn't paid."),
    payUrl: t.string({
      nullable: true,
      description:
        "URL of the page where the payer can pay the invoice. `null` if the invoice can't be paid on a page or isn't outstanding.",
      resolve: (invoice, _args, ctx) => loadPayUrl(ctx, invoice),
    }),
    downloadUrl: t.field({
      type: 'String',
      description: 'URL for downloading the PDF without credentials. Valid for 7 days.',
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
