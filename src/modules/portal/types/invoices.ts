import { invoiceNumberText } from '../../../domain/invoicing/number.ts';
import { exponentOf } from '../../../domain/money.ts';
import { builder } from '../../../graphql/builder.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { Currency } from '../../currencies/enums.ts';
import { InvoiceStatus, InvoiceType } from '../../invoices/enums.ts';
import { loadLines } from '../../invoices/load-parts.ts';
import { downloadUrl } from '../../invoices/sign-link.ts';
import { PayerInvoiceLine } from '../../invoices/types/payer-line.ts';

export const PortalInvoice = builder.objectRef<Row<'Invoice'>>('PortalInvoice').implement({
  description: 'An invoice as its payer sees it.',
  fields: (t) => ({
    invoiceId: t.exposeID('id', { description: 'Our identifier of the invoice, `inv_…`.' }),
    invoiceNumber: t.string({
      description: '`INV-` and a counter.',
      resolve: ({ number }) => invoiceNumberText(number),
    }),
    status: t.expose('status', { type: InvoiceStatus, description: 'Where it stands.' }),
    invoiceType: t.expose('type', { type: InvoiceType, description: 'Why it was made.' }),
    planName: t.exposeString('planName', {
      nullable: true,
      description: 'Name of the plan at the time; null when it is about none.',
    }),
    memo: t.exposeString('memo', {
      nullable: true,
      description: 'Note to the payer; null when there is none.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of every amount of the invoice.',
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    discountAmount: t.expose('discountAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Taken off, minor units.',
    }),
    creditApplied: t.expose('creditApplied', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Paid by credit, minor units.',
    }),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax in the total, minor units.',
    }),
    total: t.expose('total', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is to be paid, tax included, minor units.',
    }),
    periodStart: t.expose('periodStart', {
      type: 'DateTime',
      description: 'Start of the span it is about, inclusive.',
    }),
    periodEnd: t.expose('periodEnd', { type: 'DateTime', description: 'End of the span, exclusive.' }),
    issueDate: t.expose('issueDate', { type: 'DateTime', description: 'UTC date of issue.' }),
    dueDate: t.expose('dueDate', { type: 'DateTime', description: 'UTC date until which it is to be paid.' }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was settled; null while it is not.',
    }),
    downloadUrl: t.field({
      type: 'String',
      description: 'Where the PDF is downloaded, for seven days and without further credentials.',
      resolve: async ({ id }, _args, ctx) => (await downloadUrl(ctx, id)).url,
    }),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: 'The lines in their order.',
      resolve: (invoice, _args, ctx) => loadLines(ctx, invoice),
    }),
  }),
});

export const PortalInvoiceConnection = connectionOf('PortalInvoice', PortalInvoice, 'invoices');
