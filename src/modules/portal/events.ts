import { builder } from '../../graphql/builder.ts';
import { watchRow } from '../../graphql/live.ts';
import { watchInvoices } from '../invoices/events.ts';
import { PortalInvoice } from './invoice-types.ts';
import { findShownSubscription, loadPortal } from './service.ts';
import { PortalSubscription } from './subscription-types.ts';
import { sessionToken } from './words.ts';

builder.subscriptionField('portalSubscriptionChanged', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'The subscription of the portal as it is now, then after every change, quick ones told as one. Completes at once without a subscription, and when the session ends, which watching does not prolong.',
    access: { page: 'portal' },
    args: { token: t.arg.string(sessionToken) },
    subscribe: async (_root, _args, context) => {
      const { customer } = await loadPortal(context);
      return watchRow(
        context,
        () => findShownSubscription(context, customer.id),
        () => false,
      );
    },
    resolve: (subscription) => subscription,
  }),
);

builder.subscriptionField('portalInvoiceChanged', (t) =>
  t.field({
    type: PortalInvoice,
    description:
      'The latest invoice of the customer at once, if there is one, then every one that is issued, paid, voided or given up, as it then is. Completes when the session ends, which watching does not prolong.',
    access: { page: 'portal' },
    args: { token: t.arg.string(sessionToken) },
    subscribe: async (_root, _args, context) => {
      const { customer } = await loadPortal(context);
      return watchInvoices(context, customer.id);
    },
    resolve: (invoice) => invoice,
  }),
);
