import { creditNoteNumberText } from '../../../../domain/invoicing/credit-note.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { InvoiceLineType } from '../../invoices/enums.ts';
import { loadBuyer, loadSeller } from '../../invoices/load-parts.ts';
import { InvoiceBuyer, InvoiceSeller } from '../../invoices/types/parties.ts';
import { InvoiceTax, noteTaxOf } from '../../invoices/types/tax.ts';
import { loadNoteLines, type NoteLine } from '../load-lines.ts';
import { noteDownloadLink } from '../sign-link.ts';

const CreditNoteLine = builder.objectRef<NoteLine>('CreditNoteLine').implement({
  description: 'Amount that a credit note credits for one invoice line item.',
  fields: (t) => ({
    invoiceLineId: t.member('invoiceLineId', 'ID').describe("ID of the invoice's line item."),
    lineType: t.member('lineType', InvoiceLineType).describe("Type of the invoice's line item."),
    description: t.member('description', 'String').describe("Description of the invoice's line item."),
    featureName: t
      .maybe('featureName', 'String')
      .describe("Name of the feature. `null` if the line item isn't related to a feature."),
    amount: t
      .member('amount', 'MINOR')
      .describe(
        'Credited amount before tax, in the smallest currency unit. Negative. Discounts are already subtracted.',
      ),
  }),
});

export const CreditNote = builder.prismaObject('CreditNote', {
  ...node({ prefix: 'crn' }),
  description:
    "Document that credits an invoice in whole or in part. A credit note doesn't move money and never changes.",
  fields: (t) => ({
    ...t.columns('id', 'customerId', 'invoiceId', 'subscriptionId', 'refundId'),
    creditNoteNumber: t.computed({
      type: 'String',
      description:
        'Credit note number: `CN-` and a sequential number. Numbers have no gaps in an environment and are never reused.',
      columns: ['number'],
      resolve: ({ number }) => creditNoteNumberText(number),
    }),
    ...t.columns('reason', 'description', 'currency'),
    ...t.columns('subtotal', 'taxAmount'),
    tax: t.computed({
      type: InvoiceTax,
      description: 'Tax details of the credit note, with the rate and tax treatment of the invoice.',
      columns: ['subtotal', 'taxAmount', 'tax'],
      resolve: noteTaxOf,
    }),
    ...t.columns('total', 'metadata'),
    ...t.columns('issueDate', 'createdAt'),
    lineItems: t.computed({
      type: [CreditNoteLine],
      description: "Credited amount of each credited line item, in the order of the invoice's line items.",
      columns: ['id', 'invoiceId', 'currency'],
      resolve: (note, _args, ctx) => loadNoteLines(ctx, note),
    }),
    buyer: t.computed({
      type: InvoiceBuyer,
      description: 'Buyer as shown on the invoice.',
      columns: ['buyerId'],
      resolve: (note, _args, ctx) => loadBuyer(ctx, note),
    }),
    seller: t.computed({
      type: InvoiceSeller,
      description: 'Organization as shown on the invoice.',
      columns: ['sellerId'],
      resolve: (note, _args, ctx) => loadSeller(ctx, note),
    }),
    downloadUrl: t.computed({
      type: 'String',
      description:
        'URL for downloading the PDF without credentials. Valid for 7 days. Each request returns a new URL.',
      columns: ['id'],
      resolve: async ({ id }, _args, ctx) => (await noteDownloadLink(ctx, id)).url,
    }),
    customer: t.row('customer', { description: 'Customer who received the credited invoice.' }),
    invoice: t.row('invoice', { description: 'Credited invoice.' }),
    refund: t.row('refund', {
      description: 'Refund for which the credit note was issued. `null` unless the reason is `refund`.',
    }),
    ...t.resource('credit_note'),
  }),
});

export const CreditNoteConnection = connectionOf('CreditNote', CreditNote, 'credit notes');

const listed =
  'id customerId invoiceId subscriptionId refundId creditNoteNumber reason description currency subtotal taxAmount total metadata issueDate createdAt object livemode';

restView('CreditNoteListItem', 'CreditNote', listed);
restView(
  'CreditNote',
  'CreditNote',
  `${listed} lineItems { invoiceLineId lineType featureName description amount }`,
);
