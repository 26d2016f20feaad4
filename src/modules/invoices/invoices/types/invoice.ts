import { amountDue } from '../../../../domain/invoicing/credit-note.ts';
import { maxOf } from '../../../../domain/money/money.ts';
import { invoiceNumberText } from '../../../../domain/rows/invoice-number.ts';
import { columnsOf } from '../../../../graphql/declare/columns.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { InvoiceStatus, InvoiceType } from '../enums.ts';
import { invoiceList } from '../list.ts';
import { loadBuyer, loadLines, loadPayUrl, loadSeller } from '../load-parts.ts';
import { type DownloadLink, downloadLink, hostedUrl } from '../sign-link.ts';
import { InvoiceLineItem } from './lines.ts';
import { InvoiceBuyer, InvoiceSeller } from './parties.ts';
import { InvoiceTax, taxOf } from './tax.ts';

export const Invoice = builder.prismaObject('Invoice', {
  ...node({ prefix: 'inv' }),
  description:
    'Invoice with line items. After the invoice is final, only the status, payment data, and credited amount can change.',
  fields: (t) => ({
    id: t.exposeID('id'),
    customerId: t.exposeID('customerId'),
    subscriptionId: t.exposeID('subscriptionId', { nullable: true }),
    invoiceNumber: t.computed({
      type: 'String',
      description:
        'Invoice number: `INV-` and a sequential number. Numbers have no gaps in an environment and are never reused.',
      columns: ['number'],
      resolve: (invoice) => invoiceNumberText(invoice.number),
    }),
    status: t.expose('status', { type: InvoiceStatus }),
    invoiceType: t.expose('type', { type: InvoiceType }),
    currency: t.expose('currency', { type: Currency }),
    subtotal: t.expose('subtotal', { type: 'SafeInt', amount: 'MINOR' }),
    discountAmount: t.expose('discountAmount', { type: 'SafeInt', amount: 'MINOR' }),
    creditApplied: t.expose('creditApplied', { type: 'SafeInt', amount: 'MINOR' }),
    taxAmount: t.expose('taxAmount', { type: 'SafeInt', amount: 'MINOR' }),
    tax: t.computed({
      type: InvoiceTax,
      description: 'Details of the tax calculation.',
      columns: ['subtotal', 'discountAmount', 'creditApplied', 'taxAmount', 'tax'],
      resolve: taxOf,
    }),
    total: t.expose('total', { type: 'SafeInt', amount: 'MINOR' }),
    amountPaid: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        "Amount paid, in the smallest currency unit: the total minus the amount credited before payment. 0 if the invoice isn't paid or the total is negative.",
      columns: ['status', 'total', 'creditedDue'],
      resolve: ({ status, total, creditedDue }) => (status === 'paid' ? maxOf(0n, total - creditedDue) : 0n),
    }),
    amountCredited: t.expose('creditedAmount', { type: 'SafeInt', amount: 'MINOR' }),
    amountDue: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Unpaid amount in the smallest currency unit: the total minus the credited amount. 0 if the total is negative, or if the invoice is neither a draft nor outstanding.',
      columns: ['status', 'total', 'creditedDue'],
      resolve: amountDue,
    }),
    downloadUrl: t.computed({
      type: 'String',
      description:
        'URL for downloading the PDF without further credentials. Valid for 7 days. Each request returns a new URL.',
      columns: ['id'],
      resolve: async ({ id }, _args, ctx) => (await downloadLink(ctx, id)).url,
    }),
    hostedUrl: t.computed({
      type: 'String',
      description:
        'URL of the hosted page that shows the invoice to the payer, with its PDF and payment options. Anyone with the URL can open it.',
      columns: ['id'],
      resolve: ({ id }, _args, ctx) => hostedUrl(ctx, id),
    }),
    payUrl: t.computed({
      type: 'String',
      nullable: true,
      description:
        "URL of the page where the payer can pay the invoice: the open checkout, or the recovery page of a past-due or canceled subscription. Anyone with the URL can pay. `null` if the invoice can't be paid on a page or isn't outstanding.",
      columns: ['id', 'status', 'type', 'subscriptionId'],
      resolve: (invoice, _args, ctx) => loadPayUrl(ctx, invoice),
    }),
    periodStart: t.expose('periodStart', { type: 'DateTime' }),
    periodEnd: t.expose('periodEnd', { type: 'DateTime' }),
    issueDate: t.expose('issueDate', { type: 'DateTime' }),
    dueDate: t.expose('dueDate', { type: 'DateTime' }),
    planName: t.exposeString('planName', { nullable: true }),
    memo: t.exposeString('memo', { nullable: true }),
    poNumber: t.exposeString('poNumber', { nullable: true }),
    reference: t.exposeString('reference', { nullable: true }),
    metadata: t.expose('metadata', { type: 'Json' }),
    finalizedAt: t.expose('finalizedAt', { type: 'DateTime', nullable: true }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    lineItems: t.computed({
      type: [InvoiceLineItem],
      description: 'Line items, in the order shown on the invoice.',
      columns: ['id', 'currency'],
      resolve: (invoice, _args, ctx, info) => loadLines(ctx, invoice, columnsOf(info)),
    }),
    buyer: t.computed({
      type: InvoiceBuyer,
      description:
        "Buyer as shown on the document, recorded when the invoice is issued. For the first invoice of a subscription, recorded again when it's paid.",
      columns: ['buyerId'],
      resolve: (invoice, _args, ctx) => loadBuyer(ctx, invoice),
    }),
    seller: t.computed({
      type: InvoiceSeller,
      description: 'Organization as shown on the document, recorded when the invoice is issued.',
      columns: ['sellerId'],
      resolve: (invoice, _args, ctx) => loadSeller(ctx, invoice),
    }),
    frozenAt: t.expose('frozenAt', { type: 'DateTime', nullable: true }),
    customer: t.row('customer', { description: 'Customer that the invoice was issued to.' }),
    object: t.string({ description: 'Always `invoice`.', resolve: () => 'invoice' }),
    livemode: t.livemode(),
  }),
});

export const InvoiceDownloadLink = builder.objectRef<DownloadLink>('InvoiceDownloadLink').implement({
  description: 'Signed URL for downloading the PDF of an invoice.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'URL for downloading the PDF without further credentials.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Time at which the URL expires, 7 days after its creation.',
    }),
    object: t.string({
      description: 'Always `invoice_download_link`.',
      resolve: () => 'invoice_download_link',
    }),
    livemode: t.livemode(),
  }),
});

export const InvoiceConnection = connectionOf('Invoice', Invoice, 'invoices');

builder.prismaObjectField('Customer', 'invoices', (t) =>
  t.page('invoices', {
    description: 'Invoices of the customer.',
    list: invoiceList,
    filter: { status: t.arg({ type: InvoiceStatus, description: 'Status to filter by.' }) },
  }),
);

const listed =
  'id customerId subscriptionId invoiceNumber status invoiceType currency subtotal discountAmount taxAmount total periodStart periodEnd issueDate dueDate memo metadata createdAt updatedAt object livemode';

const line =
  'lineType featureName description quantity unitAmount amount includedAmount usedAmount overageAmount discountType discountValue discountName chargeType';

export const invoiceFields = `${listed} creditApplied planName poNumber reference lineItems { ${line} }`;

restView('InvoiceListItem', 'Invoice', listed);
restView('Invoice', 'Invoice', invoiceFields);
restView('InvoiceDownload', 'InvoiceDownloadLink', 'url expiresAt object livemode');
