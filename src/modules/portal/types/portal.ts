import { customerLanguage } from '../../../domain/page-language.ts';
import { portalSessionEnd } from '../../../domain/portal-session.ts';
import { builder } from '../../../graphql/builder.ts';
import { PortalSettingsType } from '../../organizations/types/organization.ts';
import { brandingField, localeField, localesField } from '../../organizations/types/page.ts';
import { findShownSubscription, loadCards, type PortalState, readPortalSettings } from '../store.ts';
import { PortalCustomer } from './customer.ts';
import { PortalInvoiceConnection } from './invoices.ts';
import { PortalPaymentMethod } from './payment-method.ts';
import { PortalSubscription } from './subscription.ts';

export const Portal = builder.objectRef<PortalState>('Portal').implement({
  description: 'What the customer of a portal session sees: the own data and nothing else.',
  fields: (t) => ({
    organizationName: t.string({
      description: 'Who sells.',
      resolve: (_portal, _args, ctx) => ctx.environment.organizationName,
    }),
    branding: t.field(brandingField),
    locale: t.field(
      localeField<PortalState>(({ session, customer }) => ({
        session: session.locale,
        customer: customerLanguage(customer),
      })),
    ),
    locales: t.field(localesField),
    settings: t.field({
      type: PortalSettingsType,
      description: 'What the seller offers here.',
      resolve: (_portal, _args, ctx) => readPortalSettings(ctx),
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
    paymentMethods: t.field({
      type: [PortalPaymentMethod],
      description: 'The cards of the customer, the latest first.',
      resolve: ({ customer }, _args, ctx) => loadCards(ctx, customer.id),
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
