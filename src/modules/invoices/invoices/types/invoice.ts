import { amountDue, amountPaid } from '../../../../domain/invoicing/credit-note.ts';
import { invoiceNumberText } from '../../../../domain/rows/invoice-number.ts';
import { columnsOf } from '../../../../graphql/declare/columns.ts';
import { oncePerField } from '../../../../graphql/declare/places.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { InvoiceStatus } from '../enums.ts';
import { invoiceList } from '../list.ts';
import { type LinesLoader, linesLoader, loadBuyer, loadPayUrl, loadSeller } from '../load-parts.ts';
import { type DownloadLink, downloadLink, hostedUrl } from '../sign-link.ts';
import { InvoiceLineItem } from './lines.ts';
import { InvoiceBuyer, InvoiceSeller } from './parties.ts';
import { InvoiceTax, taxOf } from './tax.ts';

const loader = oncePerField<LinesLoader>();

export const Invoice = builder.prismaObject('Invoice', {
  ...node({ prefix: 'inv' }),
  description:
    'Invoice with line items. After the invoice is final, only the status, payment data, and credited amount can change.',
  fields: (t) => ({
    ...t.columns('id', 'customerId', 'subscriptionId'),
    invoiceNumber: t.computed({
      type: 'String',
      description:
        'Invoice number: `INV-` and a sequential number. Numbers have no gaps in an environment and are never reused.',
      columns: ['number'],
      resolve: (invoice) => invoiceNumberText(invoice.number),
    }),
    ...t.columns('status'),
    invoiceType: t.column('type'),
    ...t.columns('currency', 'subtotal', 'discountAmount', 'creditApplied', 'taxAmount'),
    tax: t.computed({
      type: InvoiceTax,
      description: 'Tax details of the invoice.',
      columns: ['subtotal', 'discountAmount', 'creditApplied', 'taxAmount', 'tax'],
      resolve: taxOf,
    }),
    ...t.columns('total'),
    amountPaid: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Amount paid, in the smallest currency unit: the paid parts of an outstanding invoice, or the total of a paid invoice minus the amount credited before payment. 0 if nothing was paid or the total is negative.',
      columns: ['status', 'total', 'creditedDue', 'paidInParts'],
      resolve: amountPaid,
    }),
    amountCredited: t.column('creditedAmount'),
    amountDue: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Unpaid amount in the smallest currency unit: the total minus the credited amount and the paid parts. 0 if the total is negative, or if the invoice is neither a draft nor outstanding.',
      columns: ['status', 'total', 'creditedDue', 'paidInParts'],
      resolve: amountDue,
    }),
    downloadUrl: t.computed({
      type: 'String',
      description:
        'URL for downloading the PDF without credentials. Valid for 7 days. Each request returns a new URL.',
      columns: ['id'],
      resolve: async ({ id }, _args, ctx) => (await downloadLink(ctx, id)).url,
    }),
    hostedUrl: t.computed({
      type: 'String',
      description:
        'URL of the hosted page that shows the invoice to the payer, with its PDF and payment options. Anyone with the URL can open the page.',
      columns: ['id'],
      resolve: ({ id }, _args, ctx) => hostedUrl(ctx, id),
    }),
    payUrl: t.computed({
      type: 'String',
      nullable: true,
      description:
        "URL of the page where the payer can pay the invoice. Either the open checkout, or the payment page of an invoice whose subscription is past due, that reactivates a subscription, or that the customer is asked to pay. Anyone with the URL can pay. `null` if the invoice can't be paid on a page or isn't outstanding.",
      columns: ['id', 'status', 'type', 'subscriptionId', 'payableUntil'],
      resolve: (invoice, _args, ctx) => loadPayUrl(ctx, invoice),
    }),
    ...t.columns('periodStart', 'periodEnd', 'issueDate', 'dueDate', 'payableUntil'),
    ...t.columns('planName', 'memo', 'poNumber', 'reference', 'metadata'),
    ...t.columns('finalizedAt', 'paidAt', 'createdAt', 'updatedAt'),
    lineItems: t.computed({
      type: [InvoiceLineItem],
      description: 'Line items, in the order shown on the invoice.',
      columns: ['id', 'currency'],
      resolve: (invoice, _args, ctx, info) => loader(info, () => linesLoader(ctx, columnsOf(info)))(invoice),
    }),
    buyer: t.computed({
      type: InvoiceBuyer,
      description:
        'Buyer as shown on the document, recorded when the invoice is issued. For the first invoice of a subscription, recorded again when the invoice is paid.',
      columns: ['buyerId'],
      resolve: (invoice, _args, ctx) => loadBuyer(ctx, invoice),
    }),
    seller: t.computed({
      type: InvoiceSeller,
      description: 'Organization as shown on the document, recorded when the invoice is issued.',
      columns: ['sellerId'],
      resolve: (invoice, _args, ctx) => loadSeller(ctx, invoice),
    }),
    ...t.columns('frozenAt'),
    customer: t.row('customer', { description: 'Customer that the invoice was issued to.' }),
    ...t.resource('invoice'),
  }),
});

export const InvoiceDownloadLink = builder.objectRef<DownloadLink>('InvoiceDownloadLink').implement({
  description: 'Signed URL for downloading the PDF of an invoice.',
  fields: (t) => ({
    url: t.member('url', 'String').describe('URL for downloading the PDF without credentials.'),
    expiresAt: t
      .member('expiresAt', 'DateTime')
      .describe('Time at which the URL expires, 7 days after its creation.'),
    ...t.resource('invoice_download_link'),
  }),
});

export const InvoiceConnection = connectionOf('Invoice', Invoice, 'invoices');

builder.prismaObjectField('Customer', 'invoices', (t) =>
  t.page('invoices', {
    description: 'Invoices of the customer.',
    list: invoiceList,
    filter: { status: t.arg({ type: InvoiceStatus, description: 'Status of the invoices to include.' }) },
  }),
);

const listed =
  'id customerId subscriptionId invoiceNumber status invoiceType currency subtotal discountAmount taxAmount total periodStart periodEnd issueDate dueDate memo metadata createdAt updatedAt object livemode';

const line =
  'lineType featureName description quantity exactQuantity unitAmount amount includedAmount usedAmount overageAmount discountType discountValue discountName chargeType';

export const invoiceFields = `${listed} creditApplied planName poNumber reference lineItems { ${line} }`;

restView('InvoiceListItem', 'Invoice', listed);
restView('Invoice', 'Invoice', invoiceFields, { absentWhenUnset: ['lineItems.exactQuantity'] });
restView('InvoiceDownload', 'InvoiceDownloadLink', 'url expiresAt object livemode');
