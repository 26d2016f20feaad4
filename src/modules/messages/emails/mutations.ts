import { builder } from '../../../graphql/reading/builder.ts';
import { requestPortalLink } from './request-portal-link.ts';
import { sendInvoice } from './send-invoice.ts';
import { InvoiceDelivery } from './types.ts';

const PortalSessionRequestInput = builder.inputType('PortalSessionRequestInput', {
  description: 'Parameters for requesting a link to the customer portal.',
  fields: (t) => ({
    slug: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100 },
      description: "Organization's slug, as used in the URLs of the hosted pages.",
    }),
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'Email address of the customer. Case-insensitive.',
    }),
    livemode: t.boolean({
      rule: { default: true },
      description: 'Whether to use the live environment. `false` for the sandbox. Defaults to `true`.',
    }),
  }),
});

builder.mutationField('portalSessionRequest', (t) =>
  t.boolean({
    description:
      "Emails a portal link to the customer with the given email address. The link works for 1 hour. Always returns `true`, even if the organization or customer doesn't exist. Sends up to 5 emails per hour and 20 per day to each customer.",
    access: { anonymous: true },
    args: {
      input: t.arg({ type: PortalSessionRequestInput, required: true }),
    },
    resolve: (_root, { input: { slug, email, livemode } }, ctx) => {
      requestPortalLink(ctx, { slug, email, livemode: livemode ?? true });
      return true;
    },
  }),
);

const InvoiceSendInput = builder.inputType('InvoiceSendInput', {
  description: 'Parameters for emailing an invoice.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the invoice.' }) }),
});

builder.mutationField('invoiceSend', (t) =>
  t.field({
    type: InvoiceDelivery,
    description:
      "Emails an invoice with its PDF to the customer, in the customer's language or, if that language isn't supported, in the organization's language. `sent` is `false` if the email wasn't sent, for example because the organization turned off customer emails or the mail server rejected the email. A repeated request with the same idempotency key doesn't send the email again. A customer can receive up to 5 invoice emails per hour and 20 per day.",
    rest: {
      method: 'POST',
      path: '/invoices/{id}/send',
      view: 'SentInvoice',
      idempotency: 'around-provider-call',
    },
    errors: ['invoice_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: InvoiceSendInput, required: true }) },
    resolve: (_root, { input }, ctx) => sendInvoice(ctx, input.id),
  }),
);
