import { invoiceNumberText } from '../../domain/invoice/number.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadPageBy } from '../../graphql/loaders.ts';
import { connectionOf, pageArgs } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { Customer } from '../customers/types.ts';
import type { DownloadLink } from './download.ts';
import { InvoiceLineItem, loadLines } from './lines.ts';
import type { Delivery } from './send.ts';
import { InvoiceTax, taxOf } from './tax.ts';
import { InvoiceStatus, InvoiceType } from './words.ts';

export const Invoice = builder.prismaObject('Invoice', {
  description: 'What a customer owes or has paid. After its issue only status and payment data change (BIL-30).',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `inv_…`.' }),
    customerId: t.exposeID('customerId', { description: 'Our id of the customer.' }),
    subscriptionId: t.exposeID('subscriptionId', { nullable: true, description: 'Null for an invoice without a subscription.' }),
    invoiceNumber: t.string({
      description: '`INV-` and a counter, gap-free in the environment and never reused (BIL-27).',
      columns: ['number'],
      resolve: (invoice) => invoiceNumberText(invoice.number),
    }),
    status: t.expose('status', { type: InvoiceStatus, description: 'Where it stands.' }),
    invoiceType: t.expose('type', { type: InvoiceType, description: 'Why it was made.' }),
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code of every amount of the invoice.' }),
    subtotal: t.expose('subtotal', { type: 'SafeInt', amount: 'MINOR', description: 'Sum of the positive lines, minor units.' }),
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
    taxAmount: t.expose('taxAmount', { type: 'SafeInt', amount: 'MINOR', description: 'Tax on what is left, minor units.' }),
    tax: t.field({
      type: InvoiceTax,
      description: 'How the tax came about.',
      columns: ['subtotal', 'discountAmount', 'creditApplied', 'taxAmount', 'tax'],
      resolve: taxOf,
    }),
    total: t.expose('total', { type: 'SafeInt', amount: 'MINOR', description: 'What is to be paid, tax included, minor units.' }),
    periodStart: t.expose('periodStart', { type: 'DateTime', description: 'Start of the span it is about, inclusive.' }),
    periodEnd: t.expose('periodEnd', {
      type: 'DateTime',
      description: 'End of the span, exclusive; equal to the start where there is none.',
    }),
    issueDate: t.expose('issueDate', { type: 'DateTime', description: 'UTC date of issue (BIL-28).' }),
    dueDate: t.expose('dueDate', { type: 'DateTime', description: 'UTC date until which it is to be paid.' }),
    planName: t.exposeString('planName', { nullable: true, description: 'Name of the plan at the time; null when it is about none.' }),
    memo: t.exposeString('memo', { nullable: true, description: 'Note to the payer; null when there is none.' }),
    poNumber: t.exposeString('poNumber', { nullable: true, description: "The payer's order number; null when none was given." }),
    reference: t.exposeString('reference', { nullable: true, description: 'Reference of the seller; null when none was given.' }),
    metadata: t.expose('metadata', { type: 'Json', description: 'Free-form; an empty object when none was given.' }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true, description: 'When it was settled; null while it is not.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    lineItems: t.field({
      type: [InvoiceLineItem],
      description: 'The lines in their order (BIL-13).',
      columns: ['id', 'currency'],
      resolve: (invoice, _args, context, info) => loadLines(context, invoice, info),
    }),
    customer: t.field({
      type: Customer,
      description: 'Who owes it.',
      columns: ['customerId'],
      resolve: (invoice, _args, context, info) => loadExistingRow(context, 'Customer', invoice.customerId, info),
    }),
    object: t.string({ description: 'Always `invoice`.', resolve: () => 'invoice' }),
    livemode: t.boolean({ description: 'True for live data.', columns: [], resolve: (_invoice, _args, context) => context.livemode }),
  }),
});

export const InvoiceDownloadLink = builder.objectRef<DownloadLink>('InvoiceDownloadLink').implement({
  description: 'A signed address of the PDF of an invoice.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Where the PDF is downloaded, without further credentials.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the address stops working: seven days after it was made.' }),
    object: t.string({ description: 'Always `invoice_download_link`.', resolve: () => 'invoice_download_link' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_link, _args, context) => context.livemode }),
  }),
});

export const InvoiceDelivery = builder.objectRef<Delivery>('InvoiceDelivery').implement({
  description: 'What became of an invoice that was to be mailed.',
  fields: (t) => ({
    sent: t.exposeBoolean('sent', { description: 'Whether the mail server took the letter.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', description: 'Operational time of the attempt.' }),
    object: t.string({ description: 'Always `invoice_delivery`.', resolve: () => 'invoice_delivery' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_delivery, _args, context) => context.livemode }),
  }),
});

export const InvoiceConnection = connectionOf('Invoice', Invoice, 'invoices');

builder.prismaObjectField('Customer', 'invoices', (t) =>
  t.field({
    type: InvoiceConnection,
    description: 'The invoices of the customer.',
    args: { ...pageArgs(), status: t.arg({ type: InvoiceStatus, description: 'Only those with this status.' }) },
    columns: ['id'],
    resolve: (customer, args, context, info) =>
      loadPageBy(context, 'Invoice', 'customerId', customer.id, args, { status: args.status ?? undefined }, info),
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
