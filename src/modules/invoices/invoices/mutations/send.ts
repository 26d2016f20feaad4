import { operation } from '../../../../engine/operation.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { InvoiceStatusUpdate } from '../enums.ts';
import { downloadUrl } from '../sign-link.ts';
import { readWasMailed, requireInvoice } from '../store.ts';
import { Invoice, InvoiceDownloadLink } from '../types/invoice.ts';

const InvoiceStatusUpdateInput = builder.inputType('InvoiceStatusUpdateInput', {
  description: 'Parameters for changing the status of an invoice manually.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the invoice.' }),
    status: t.field({
      type: InvoiceStatusUpdate,
      required: true,
      description: 'New status of the invoice.',
    }),
  }),
});

/**
 * Marks an outstanding invoice as paid or void (BIL-25, BIL-26). Throws `validation_error` on `status` if the invoice isn't outstanding or a
 * charge is in progress.
 */
const invoiceMark = operation({
  input: InvoiceStatusUpdateInput,
  find: async (ctx, { id, status }) => {
    const { customerId } = await requireInvoice(ctx, id);
    return { customerId, wasSent: status === 'void' && (await readWasMailed(ctx, id)) };
  },
  command: ({ id, status }, { wasSent }) => ({ kind: 'invoice.mark', invoiceId: id, status, wasSent }),
  result: (ctx, { input: { id } }) => {
    // The command changed the invoice, so the cached row is outdated.
    ctx.forget();
    return requireInvoice(ctx, id);
  },
});

builder.mutationField('invoiceStatusUpdate', (t) =>
  t.operation(invoiceMark, {
    type: Invoice,
    description:
      "Marks an outstanding invoice as paid outside Quittance, or as void. Marking a first invoice as paid activates the subscription. Marking a first invoice as void ends the checkout. If the invoice is in dunning, either status restores the subscription to `active`. Marking the invoice of a declined reactivation as paid reactivates the subscription. No transaction is created. Fails with `validation_error` on `status` if the invoice isn't outstanding or a charge is in progress.",
    rest: { method: 'PATCH', path: '/invoices/{id}/status', view: 'Invoice' },
    errors: ['invoice_not_found'],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const InvoiceDownloadLinkCreateInput = builder.inputType('InvoiceDownloadLinkCreateInput', {
  description: 'Parameters for creating a download link for an invoice.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the invoice.' }) }),
});

builder.mutationField('invoiceDownloadLinkCreate', (t) =>
  t.field({
    type: InvoiceDownloadLink,
    description:
      'Creates a signed URL for downloading the PDF of an invoice. Anyone with the URL can download the PDF for 7 days.',
    rest: {
      method: 'POST',
      path: '/invoices/{id}/download-links',
      view: 'InvoiceDownload',
    },
    errors: ['invoice_not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: InvoiceDownloadLinkCreateInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => downloadUrl(ctx, input.id),
  }),
);
