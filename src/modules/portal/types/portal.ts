import { portalSessionEnd } from '../../../domain/portal-session.ts';
import { builder } from '../../../graphql/builder.ts';
import { readOrganization } from '../../organizations/store.ts';
import { SellerBranding } from '../../organizations/types.ts';
import { findShownSubscription, type PortalState } from '../store.ts';
import { PortalCustomer } from './customer.ts';
import { PortalInvoiceConnection } from './invoices.ts';
import { PortalSubscription } from './subscription.ts';

export const Portal = builder.objectRef<PortalState>('Portal').implement({
  description: 'What the customer of a portal session sees: the own data and nothing else.',
  fields: (t) => ({
    organizationName: t.string({
      description: 'Who sells.',
      resolve: (_portal, _args, ctx) => ctx.environment.organizationName,
    }),
    branding: t.field({
      type: SellerBranding,
      description: 'How the pages of the seller look.',
      resolve: (_portal, _args, ctx) => readOrganization(ctx),
    }),
    returnUrl: t.string({
      nullable: true,
      description: 'Where the portal leads back to; null for nowhere.',
      resolve: ({ session }) => session.returnUrl,
    }),
    sessionEndsAt: t.field({
      type: 'DateTime',
      description: 'When the session ends unless it is used again, by operational time.',
      resolve: ({ session }) => portalSessionEnd(session),
    }),
    customer: t.field({
      type: PortalCustomer,
      description: 'Whose portal it is.',
      resolve: ({ customer }) => customer,
    }),
    subscription: t.field({
      type: PortalSubscription,
      nullable: true,
      description:
        'The subscription that is not canceled, else the last one that was in force; null without either.',
      resolve: ({ customer }, _args, ctx) => findShownSubscription(ctx, customer.id),
    }),
    invoices: t.pageBy('Invoice', {
      type: PortalInvoiceConnection,
      by: 'customerId',
      id: ({ customer }) => customer.id,
      description: 'The invoices of the customer.',
    }),
    livemode: t.boolean({
      description: 'False in the sandbox, where no money moves.',
      resolve: (_portal, _args, ctx) => ctx.livemode,
    }),
  }),
});
