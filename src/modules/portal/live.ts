import { builder } from '../../graphql/builder.ts';
import { watch } from '../../graphql/live.ts';
import { watchInvoices } from '../invoices/live.ts';
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
      'The subscription of the portal as it is now, then after every change, quick successions sent as one. Completes immediately without a subscription, and when the session ends, which watching does not prolong.',
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
      'First the latest invoice of the customer, if there is one, then every one that is issued, paid, voided or given up, as it is at that time. Completes when the session ends, which watching does not prolong.',
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
      'The invoice a page token stands for as it is now, then after every change, quick successions sent as one. Completes after one that is paid or void.',
    access: { page: 'invoice' },
    args: {
      token: t.arg.string({ required: true, description: 'The last part of `Invoice.hostedUrl`.' }),
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
