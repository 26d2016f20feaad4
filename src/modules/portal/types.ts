import { portalSessionEnd } from '../../domain/portal-session.ts';
import { builder } from '../../graphql/builder.ts';
import { loadPageBy } from '../../graphql/loaders.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { type AddressShape, CustomerAddress } from '../customers/types.ts';
import type { PortalAccess as Access } from './create-session.ts';
import { PortalInvoiceConnection } from './invoice-types.ts';
import { findShownSubscription, type PortalState } from './service.ts';
import { PortalSubscription } from './subscription-types.ts';

// Types of the portal are its own wherever the shared one leads to other rows of the tenant or shows what is the tenant's alone.

export const PortalAccess = builder.objectRef<Access>('PortalAccess').implement({
  description: 'A portal session that was opened.',
  fields: (t) => ({
    portalUrl: t.exposeString('portalUrl', {
      description: 'Where the customer looks after the subscription, until 30 minutes without use or 2 hours in all. Whoever has it may.',
    }),
    object: t.string({ description: 'Always `portal_session`.', resolve: () => 'portal_session' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_access, _args, context) => context.livemode }),
  }),
});

restView('PortalAccess', 'PortalAccess', 'portalUrl object livemode');

export const PortalCustomer = builder.objectRef<PortalState['customer']>('PortalCustomer').implement({
  description: 'The customer of a portal session, as it stands on invoices.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'Where invoices and receipts go.' }),
    fullName: t.exposeString('fullName', { description: 'Empty when none was given.' }),
    taxDocument: t.exposeString('taxDocument', { nullable: true, description: 'Tax number; null when none was given.' }),
    documentType: t.exposeString('documentType', {
      nullable: true,
      description: 'What the tax number is called in the country of the address; null without one.',
    }),
    address: t.field({
      type: CustomerAddress,
      nullable: true,
      description: 'Billing address; null while none is known.',
      resolve: (customer) => customer.address as AddressShape | null,
    }),
  }),
});

export const Portal = builder.objectRef<PortalState>('Portal').implement({
  description: 'What the customer of a portal session sees: the own data and nothing else (PLT-33).',
  fields: (t) => ({
    organizationName: t.string({ description: 'Who sells.', resolve: (_portal, _args, context) => context.environment.organizationName }),
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
    customer: t.field({ type: PortalCustomer, description: 'Whose portal it is.', resolve: ({ customer }) => customer }),
    subscription: t.field({
      type: PortalSubscription,
      nullable: true,
      description: 'The subscription that is not canceled, else the last one that was in force; null without either.',
      resolve: ({ customer }, _args, context) => findShownSubscription(context, customer.id),
    }),
    invoices: t.field({
      type: PortalInvoiceConnection,
      description: 'The invoices of the customer.',
      args: pageArgs(),
      resolve: ({ customer }, args, context) => loadPageBy(context, 'Invoice', 'customerId', customer.id, args),
    }),
    livemode: t.boolean({
      description: 'False in the sandbox, where no money moves.',
      resolve: (_portal, _args, context) => context.livemode,
    }),
  }),
});
