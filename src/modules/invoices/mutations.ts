import { builder } from '../../graphql/builder.ts';
import { throwIssues } from '../../graphql/rules.ts';
import { reference } from '../../graphql/shapes.ts';
import { adjustCustomer } from './adjust.ts';
import { InvoiceStatusUpdate } from './enums.ts';
import { markInvoice } from './mark.ts';
import { sendInvoice } from './send.ts';
import { downloadUrl } from './sign-link.ts';
import { Invoice, InvoiceDelivery, InvoiceDownloadLink } from './types/invoice.ts';

/** So large that no business reaches it, so small that its rate still fits the database in every currency. */
const largestAdjustment = 900_000_000_000_000;

const InvoiceAdjustmentCreateInput = builder.inputType('InvoiceAdjustmentCreateInput', {
  description: 'A correction of what was billed.',
  fields: (t) => ({
    customerId: t.string({
      required: true,
      rule: reference,
      description: 'Our id of the customer, else its external id.',
    }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: { minimum: -largestAdjustment, maximum: largestAdjustment },
      description:
        "Minor units of the currency of the invoice named, else of the customer's subscription, else of USD. Negative for a credit, never 0, at most 900 000 000 000 000 either way.",
    }),
    invoiceId: t.id({
      rule: { graphqlOnly: true },
      description:
        'The invoice a negative amount corrects: an issued one of the same customer, neither void nor itself a credit note. The amount is then in its currency, and all credit notes of an invoice together do not exceed its total. Omit it for a correction of no particular invoice.',
    }),
    description: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 1_000, multiline: true },
      description: 'What the line says to the payer, 1 to 1000 characters.',
    }),
    metadata: t.field({ type: 'Json', description: 'Free-form. Defaults to an empty object.' }),
  }),
});

builder.mutationField('invoiceAdjustmentCreate', (t) =>
  t.field({
    type: Invoice,
    description:
      'Issues an adjustment. A positive one is outstanding for seven days and not charged automatically; a negative one is a paid document that moves no money and no customer credit. Neither changes a subscription.',
    rest: {
      method: 'POST',
      path: '/invoices',
      status: 201,
      view: 'Invoice',
      errors: ['customer_not_found', 'payment_failed'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: InvoiceAdjustmentCreateInput, required: true, description: 'The correction.' }),
    },
    resolve: (_root, { input }, ctx) => {
      throwIssues(input.amount === 0 ? [{ field: 'amount', message: 'must not be 0' }] : []);
      return adjustCustomer(ctx, input);
    },
  }),
);

const InvoiceStatusUpdateInput = builder.inputType('InvoiceStatusUpdateInput', {
  description: 'A manual change of status.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the invoice.' }),
    status: t.field({
      type: InvoiceStatusUpdate,
      required: true,
      description: 'What an outstanding invoice becomes.',
    }),
  }),
});

builder.mutationField('invoiceStatusUpdate', (t) =>
  t.field({
    type: Invoice,
    description:
      'Marks an outstanding invoice paid outside the platform, or void. Paid, a first invoice activates its subscription; the invoice in dunning, paid or void, brings its subscription back in force; a void first invoice ends its checkout. No transaction is made. `validation_error` on `status` for an invoice that is not outstanding or whose charge is under way.',
    rest: { method: 'PATCH', path: '/invoices/{id}/status', view: 'Invoice', errors: ['invoice_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: InvoiceStatusUpdateInput, required: true, description: 'The change.' }) },
    resolve: (_root, { input }, ctx) => markInvoice(ctx, input),
  }),
);

const InvoiceDownloadLinkCreateInput = builder.inputType('InvoiceDownloadLinkCreateInput', {
  description: 'Which invoice to make a link for.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the invoice.' }) }),
});

builder.mutationField('invoiceDownloadLinkCreate', (t) =>
  t.field({
    type: InvoiceDownloadLink,
    description:
      'A signed address at which anybody who has it can download the PDF of an invoice for seven days.',
    rest: {
      method: 'POST',
      path: '/invoices/{id}/download-links',
      view: 'InvoiceDownload',
      errors: ['invoice_not_found'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: InvoiceDownloadLinkCreateInput, required: true, description: 'The invoice.' }),
    },
    resolve: (_root, { input }, ctx) => downloadUrl(ctx, input.id),
  }),
);

const InvoiceSendInput = builder.inputType('InvoiceSendInput', {
  description: 'Which invoice to send.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the invoice.' }) }),
});

builder.mutationField('invoiceSend', (t) =>
  t.field({
    type: InvoiceDelivery,
    description:
      "Mails an invoice with its PDF to its customer, in the organization's language. `sent` is false when the organization has switched customer emails off, and when the mail server did not take the email; with the same idempotency key it is never sent again.",
    rest: {
      method: 'POST',
      path: '/invoices/{id}/send',
      view: 'SentInvoice',
      idempotency: 'around-provider-call',
      errors: ['invoice_not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: InvoiceSendInput, required: true, description: 'The invoice.' }) },
    resolve: (_root, { input }, ctx) => sendInvoice(ctx, input.id),
  }),
);
