import { operation } from '../../../engine/operation.ts';
import { mostMinor, reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { findSubject } from '../../customers/customers/store.ts';
import { InvoiceDownloadLink } from '../invoices/types/invoice.ts';
import { adjustCommand, adjustmentOf } from './adjust.ts';
import { noteDownloadLinkOf } from './sign-link.ts';
import { InvoiceAdjustment } from './types/adjustment.ts';

const InvoiceAdjustmentCreateInput = builder.inputType('InvoiceAdjustmentCreateInput', {
  description: 'Parameters for creating an adjustment.',
  fields: (t) => ({
    customerId: t.string({
      required: true,
      rule: reference,
      description: 'ID or external ID of the customer.',
    }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: { minimum: -mostMinor, maximum: mostMinor },
      description:
        "Amount in the smallest currency unit. The adjustment uses the currency of the invoice. If `invoiceId` is omitted, the adjustment uses the currency of the customer's subscription, or USD if there's no subscription. Negative for a credit. Can't be 0. From -900,000,000,000,000 to 900,000,000,000,000.",
    }),
    invoiceId: t.id({
      description:
        "ID of the invoice to credit. Requires a negative amount. Issues a credit note in the currency of the invoice, including the proportional tax. The invoice must be issued and belong to the same customer. It can't be void or belong to an open checkout. Credit notes can't exceed the total of the invoice. Omit `invoiceId` to create an adjustment that isn't related to an invoice.",
    }),
    description: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 1_000, multiline: true },
      description: 'Description of the line item, shown to the payer. From 1 to 1,000 characters.',
    }),
    metadata: t.field({ type: 'Json', description: 'Custom key-value data. Defaults to an empty object.' }),
  }),
});

/**
 * Issues an adjustment (BIL-23). Locks the customer even if the customer has a subscription. Throws `validation_error` if the invoice can't
 * be credited.
 */
const adjustment = operation({
  input: InvoiceAdjustmentCreateInput,
  issues: ({ amount }) => (amount === 0 ? [{ field: 'amount', message: 'must not be 0' }] : []),
  find: (ctx, { customerId }) => findSubject(ctx, customerId, 'customerId'),
  command: adjustCommand,
  result: adjustmentOf,
});

builder.mutationField('invoiceAdjustmentCreate', (t) =>
  t.operation(adjustment, {
    type: InvoiceAdjustment,
    description:
      "Creates an adjustment. A positive amount issues an invoice that is due in 7 days and isn't charged automatically. A negative amount with `invoiceId` issues a credit note and reduces the amount due of an outstanding invoice. The invoice becomes `paid` if its amount due is 0. A negative amount without `invoiceId` issues a paid invoice without tax. No money moves, and no customer credit is created.",
    rest: {
      method: 'POST',
      path: '/invoices',
      status: 201,
      view: 'InvoiceAdjustment',
    },
    errors: ['customer_not_found', 'payment_failed'],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const CreditNoteDownloadLinkCreateInput = builder.inputType('CreditNoteDownloadLinkCreateInput', {
  description: 'Parameters for creating a download link for a credit note.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the credit note.' }) }),
});

builder.mutationField('creditNoteDownloadLinkCreate', (t) =>
  t.field({
    type: InvoiceDownloadLink,
    description:
      'Creates a signed URL for downloading the PDF of a credit note. Anyone with the URL can download the PDF for 7 days.',
    rest: {
      method: 'POST',
      path: '/credit-notes/{id}/download-links',
      view: 'InvoiceDownload',
    },
    errors: ['not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: CreditNoteDownloadLinkCreateInput,
        required: true,
      }),
    },
    resolve: (_root, { input }, ctx) => noteDownloadLinkOf(ctx, input.id),
  }),
);
