import { customerLanguage } from '../../../../domain/pages/page-language.ts';
import { portalSessionEnd } from '../../../../domain/pages/portal-session.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { present } from '../../../../platform/db/rows.ts';
import { PortalSettingsType } from '../../../organization/organizations/types/organization.ts';
import { brandingField, localeField, localesField } from '../../../organization/organizations/types/page.ts';
import { loadUsageLimits } from '../load-usage-limits.ts';
import { findShownSubscription, loadCards, type PortalState, readPortalSettings } from '../store.ts';
import { PortalCustomer } from './customer.ts';
import { PortalInvoiceConnection } from './invoices.ts';
import { PortalUsageLimits } from './limits.ts';
import { PortalPaymentMethod } from './payment-method.ts';
import { PortalSubscription } from './subscription.ts';

export const Portal = builder.objectRef<PortalState>('Portal').implement({
  description: "Customer portal for one session. Contains only the data of the session's customer.",
  fields: (t) => ({
    organizationName: t.string({
      description: 'Name of the organization.',
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
      description: 'Actions that the organization offers in the portal.',
      resolve: (_portal, _args, ctx) => readPortalSettings(ctx),
    }),
    returnUrl: t.string({
      nullable: true,
      description: 'URL that the portal links back to. `null` if not set.',
      resolve: ({ session }) => session.returnUrl,
    }),
    sessionEndsAt: t.field({
      type: 'DateTime',
      description:
        "Time at which the session ends if there's no further activity. Always real time, never the test clock's time.",
      resolve: ({ session }) => portalSessionEnd(session),
    }),
    customer: t.member('customer', PortalCustomer).describe('Customer that the portal session belongs to.'),
    subscription: t.field({
      type: PortalSubscription,
      nullable: true,
      description:
        "Customer's current subscription, in any status except `canceled`. If all subscriptions are canceled, the latest subscription that was active or in a trial. `null` if the customer has never had an active or trialing subscription.",
      resolve: ({ customer }, _args, ctx) => findShownSubscription(ctx, customer.id),
    }),
    paymentMethods: t.field({
      type: [PortalPaymentMethod],
      description: 'Stored cards of the customer, newest first.',
      resolve: ({ customer }, _args, ctx) => loadCards(ctx, customer.id),
    }),
    usageLimits: t.field({
      type: PortalUsageLimits,
      description: "Limits on the customer's usage, and the customer's budgets.",
      resolve: (_portal, _args, ctx) => loadUsageLimits(ctx),
    }),
    invoices: t.pageBy('Invoice', {
      type: PortalInvoiceConnection,
      by: 'customerId',
      id: ({ customer }) => customer.id,
      where: () => ({ finalizedAt: present }),
      description: "Invoices of the customer. Invoices of unpaid checkouts aren't included.",
    }),
    livemode: t.boolean({
      description:
        'Whether the portal belongs to the live environment. `false` in a sandbox, which moves no money.',
      resolve: (_portal, _args, ctx) => ctx.livemode,
    }),
  }),
});
