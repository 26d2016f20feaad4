import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { watchInvoices } from '../../invoices/invoices/live.ts';
import { findHosted, loadHosted } from './load-invoice.ts';
import { findShownSubscription, loadPortal } from './store.ts';
import { HostedInvoice } from './types/hosted-invoice.ts';
import { PortalInvoice } from './types/invoices.ts';
import { sessionToken } from './types/session-token.ts';
import { PortalSubscription } from './types/subscription.ts';

builder.subscriptionField('portalSubscriptionChanged', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      "Emits the portal's subscription immediately and after every change. Changes in quick succession are combined. Completes immediately if there's no subscription, and otherwise when the session ends. An open stream doesn't extend the session.",
    access: { page: 'portal' },
    args: { token: t.arg.string(sessionToken) },
    subscribe: async (_root, _args, ctx) => {
      const { customer } = await loadPortal(ctx);
      return watch(ctx, (present) =>
        present.once(`shown:${customer.id}`, () => findShownSubscription(present, customer.id)),
      );
    },
    resolve: (subscription) => subscription,
  }),
);

builder.subscriptionField('portalInvoiceChanged', (t) =>
  t.field({
    type: PortalInvoice,
    description:
      "Emits the customer's latest invoice immediately, if any. Then emits the current state of every invoice that is issued, paid, voided, or marked uncollectible. Completes when the session ends. An open stream doesn't extend the session.",
    access: { page: 'portal' },
    args: { token: t.arg.string(sessionToken) },
    subscribe: async (_root, _args, ctx) => {
      const { customer } = await loadPortal(ctx);
      return watchInvoices(ctx, customer.id);
    },
    resolve: (invoice) => invoice,
  }),
);

builder.subscriptionField('hostedInvoiceChanged', (t) =>
  t.field({
    type: HostedInvoice,
    description:
      'Emits the invoice for a page token, immediately and after every change. Changes in quick succession are combined. Completes after the invoice is paid or voided.',
    access: { page: 'invoice' },
    args: {
      token: t.arg.string({
        required: true,
        description: 'Token from `Invoice.hostedUrl` (the last path segment).',
      }),
    },
    subscribe: async (_root, _args, ctx) => {
      const { id } = (await loadHosted(ctx)).invoice;
      return watch(
        ctx,
        (present) => present.once(`hosted:${id}`, () => findHosted(present, id)),
        ({ invoice }) => invoice.status === 'paid' || invoice.status === 'void',
      );
    },
    resolve: (hosted) => hosted,
  }),
);
