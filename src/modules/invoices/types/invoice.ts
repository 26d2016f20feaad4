import { invoiceNumberText } from '../../../domain/invoicing/number.ts';
import { maxOf } from '../../../domain/money.ts';
import { builder } from '../../../graphql/builder.ts';
import { columnsOf } from '../../../graphql/columns.ts';
import { node } from '../../../graphql/node.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import { restView } from '../../../graphql/rest.ts';
import { Currency } from '../../currencies/enums.ts';
import { InvoiceStatus, InvoiceType } from '../enums.ts';
import { invoiceList } from '../list.ts';
import { loadBuyer, loadLines, loadPayUrl, loadSeller } from '../load-parts.ts';
import type { Delivery } from '../send.ts';
import { type DownloadLink, downloadLink, hostedUrl } from '../sign-link.ts';
import { InvoiceLineItem } from './lines.ts';
import { InvoiceBuyer, InvoiceSeller } from './parties.ts';
import { InvoiceTax, taxOf } from './tax.ts';

export const Invoice = builder.prismaObject('Invoice', {
  ...node({ prefix: 'inv' }),
  description: 'What a customer owes or has paid. After its issue only status and payment data change.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `inv_…`.' }),
    customerId: t.exposeID('customerId', { description: 'Our id of the customer.' }),
    subscriptionId: t.exposeID('subscriptionId', {
      nullable: true,
      description: 'Null for an invoice without a subscription.',
    }),
    invoiceNumber: t.computed({
      type: 'String',
      description: '`INV-` and a counter, gap-free in the environment and never reused.',
      columns: ['number'],
      resolve: (invoice) => invoiceNumberText(invoice.number),
    }),
    status: t.expose('status', { type: InvoiceStatus, description: 'Where it stands.' }),
    invoiceType: t.expose('type', { type: InvoiceType, description: 'Why it was made.' }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of every amount of the invoice.',
    }),
    subtotal: t.expose('subtotal', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the positive lines, minor units.',
    }),
    discountAmount: t.expose('discountAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the discounts as a positive number, minor units.',
    }),
    creditApplied: t.expose('creditApplied', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the credits as a positive number, minor units.',
    }),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax on what is left, minor units.',
    }),
    tax: t.computed({
      type: InvoiceTax,
      description: 'How the tax came about.',
      columns: ['subtotal', 'discountAmount', 'creditApplied', 'taxAmount', 'tax'],
      resolve: taxOf,
    }),
    total: t.expose('total', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is to be paid, tax included, minor units.',
    }),
    amountPaid: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'What was paid of it, minor units: its total once it is paid, 0 before and on credit notes.',
      columns: ['status', 'total'],
      resolve: ({ status, total }) => (status === 'paid' ? maxOf(0n, total) : 0n),
    }),
    amountDue: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'What is still to be paid, minor units: its total while it is a draft or outstanding, 0 otherwise and on credit notes.',
      columns: ['status', 'total'],
      resolve: ({ status, total }) =>
        status === 'draft' || status === 'outstanding' ? maxOf(0n, total) : 0n,
    }),
    downloadUrl: t.computed({
      type: 'String',
      description:
        'Where its PDF is downloaded without further credentials, for seven days. Each time another address.',
      columns: ['id'],
      resolve: async ({ id }, _args, ctx) => (await downloadLink(ctx, id)).url,
    }),
    hostedUrl: t.computed({
      type: 'String',
      description:
        'The page that shows it to its payer, with its PDF and where it is paid. Anyone who has the address may open it.',
      columns: ['id'],
      resolve: ({ id }, _args, ctx) => hostedUrl(ctx, id),
    }),
    payUrl: t.computed({
      type: 'String',
      nullable: true,
      description:
        'The page where its payer pays it: the checkout it waits at, or the one that brings a past-due or canceled subscription back. Anyone who has the address may pay. Null for an invoice that no page takes payment for, and once it is settled.',
      columns: ['id', 'status', 'type', 'subscriptionId'],
      resolve: (invoice, _args, ctx) => loadPayUrl(ctx, invoice),
    }),
    periodStart: t.expose('periodStart', {
      type: 'DateTime',
      description: 'Start of the span it is about, inclusive.',
    }),
    periodEnd: t.expose('periodEnd', {
      type: 'DateTime',
      description: 'End of the span, exclusive; equal to the start where there is none.',
    }),
    issueDate: t.expose('issueDate', { type: 'DateTime', description: 'UTC date of issue.' }),
    dueDate: t.expose('dueDate', { type: 'DateTime', description: 'UTC date until which it is to be paid.' }),
    planName: t.exposeString('planName', {
      nullable: true,
      description: 'Name of the plan at the time; null when it is about none.',
    }),
    memo: t.exposeString('memo', {
      nullable: true,
      description: 'Note to the payer; null when there is none.',
    }),
    poNumber: t.exposeString('poNumber', {
      nullable: true,
      description: "The payer's order number; null when none was given.",
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'Reference of the seller; null when none was given.',
    }),
    metadata: t.expose('metadata', {
      type: 'Json',
      description: 'Free-form; an empty object when none was given.',
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was settled; null while it is not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    lineItems: t.computed({
      type: [InvoiceLineItem],
      description: 'The lines in their order.',
      columns: ['id', 'currency'],
      resolve: (invoice, _args, ctx, info) => loadLines(ctx, invoice, columnsOf(info)),
    }),
    buyer: t.computed({
      type: InvoiceBuyer,
      description:
        'The buyer as the document names it, frozen at the issue; of a first invoice when it is paid.',
      columns: ['buyerId'],
      resolve: (invoice, _args, ctx) => loadBuyer(ctx, invoice),
    }),
    seller: t.computed({
      type: InvoiceSeller,
      description: 'The seller as the document names it, frozen at the issue.',
      columns: ['sellerId'],
      resolve: (invoice, _args, ctx) => loadSeller(ctx, invoice),
    }),
    frozenAt: t.expose('frozenAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When buyer and seller were frozen, of an invoice that was issued before invoices kept them; null for all others.',
    }),
    correctsInvoiceId: t.exposeID('correctsInvoiceId', {
      nullable: true,
      description:
        'The invoice a credit note corrects; null for other invoices, and for a credit that names none.',
    }),
    customer: t.row('customer', { description: 'Who owes it.' }),
    object: t.string({ description: 'Always `invoice`.', resolve: () => 'invoice' }),
    livemode: t.livemode(),
  }),
});

builder.prismaObjectField('Invoice', 'correctsInvoice', (t) =>
  t.row('correctsInvoice', {
    description:
      'The invoice a credit note corrects; null for other invoices, and for a credit that names none.',
  }),
);

export const InvoiceDownloadLink = builder.objectRef<DownloadLink>('InvoiceDownloadLink').implement({
  description: 'A signed address of the PDF of an invoice.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Where the PDF is downloaded, without further credentials.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the address stops working: seven days after it was made.',
    }),
    object: t.string({
      description: 'Always `invoice_download_link`.',
      resolve: () => 'invoice_download_link',
    }),
    livemode: t.livemode(),
  }),
});

export const InvoiceDelivery = builder.objectRef<Delivery>('InvoiceDelivery').implement({
  description: 'The result of sending an invoice by email.',
  fields: (t) => ({
    sent: t.exposeBoolean('sent', { description: 'Whether the mail server took the email.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', description: 'Operational time of the attempt.' }),
    object: t.string({ description: 'Always `invoice_delivery`.', resolve: () => 'invoice_delivery' }),
    livemode: t.livemode(),
  }),
});

export const InvoiceConnection = connectionOf('Invoice', Invoice, 'invoices');

builder.prismaObjectField('Customer', 'invoices', (t) =>
  t.page('invoices', {
    description: 'The invoices of the customer.',
    list: invoiceList,
    filter: { status: t.arg({ type: InvoiceStatus, description: 'Only those with this status.' }) },
  }),
);

const listed =
  'id customerId subscriptionId invoiceNumber status invoiceType currency subtotal discountAmount taxAmount total periodStart periodEnd issueDate dueDate memo metadata createdAt updatedAt object livemode';

const line =
  'lineType featureName description quantity unitAmount amount includedAmount usedAmount overageAmount discountType discountValue discountName chargeType';

restView('InvoiceListItem', 'Invoice', listed);
restView('Invoice', 'Invoice', `${listed} creditApplied planName poNumber reference lineItems { ${line} }`);
restView('InvoiceDownload', 'InvoiceDownloadLink', 'url expiresAt object livemode');
restView('SentInvoice', 'InvoiceDelivery', 'sent sentAt object livemode');
