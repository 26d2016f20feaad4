import { amountDue } from '../../../domain/invoicing/credit-note.ts';
import { exponentOf } from '../../../domain/money/money.ts';
import { customerLanguage } from '../../../domain/pages/page-language.ts';
import { defaultInstrument } from '../../../domain/payments/instruments/registry.ts';
import { accessEndsAt, nextAutomaticRetryAt } from '../../../domain/subscription/state/view.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { brandingField, localeField, localesField } from '../../organization/organizations/types/page.ts';
import { recoveryLinkTo } from '../../subscriptions/recovery-links/create.ts';
import { SubscriptionStatus } from '../../subscriptions/subscriptions/enums.ts';
import { cardAuthenticationOf } from '../checkout/authenticate-card.ts';
import { enabledInstruments, offeredInstruments } from '../checkout/derive-instruments.ts';
import { checkoutConnection } from '../checkout/store-method.ts';
import { CardAuthentication } from '../checkout/types/card-authentication.ts';
import { CheckoutCollection, CheckoutInstrument } from '../checkout/types/instrument.ts';
import type { CardRequest as Request } from './load.ts';

const CardRequestStatus = builder.enumType('CardRequestStatus', {
  description: 'Status of a page that requests a card.',
  values: {
    open: { description: 'The page accepts a card.' },
    paid: { description: 'The invoice that the page charges is paid.' },
    closed: { description: "The page doesn't accept a card, because no card is needed." },
  } as const,
});

export const CardRequest = builder.objectRef<Request>('CardRequest').implement({
  description: "Hosted page that asks a subscription's customer for a card.",
  fields: (t) => ({
    status: t
      .member('status', CardRequestStatus)
      .describe('Status of the page: whether a card can still be entered.'),
    organizationName: t.string({
      description: 'Name of the organization.',
      resolve: (_request, _args, ctx) => ctx.environment.organizationName,
    }),
    branding: t.field(brandingField),
    locale: t.field(localeField<Request>(({ customer }) => ({ customer: customerLanguage(customer) }))),
    locales: t.field(localesField),
    customerEmail: t.string({
      description: 'Email address of the customer.',
      resolve: ({ customer }) => customer.email,
    }),
    name: t.string({
      description: 'Name of the subscription. Defaults to the name of the plan.',
      resolve: ({ subscription, plan }) => subscription.name ?? plan.name,
    }),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Amount to charge including tax, in the smallest currency unit. 0 if the card is only stored.',
      // After payment, the page shows the paid amount.
      resolve: ({ invoice }) =>
        invoice === null ? 0n : invoice.total - invoice.creditedDue - invoice.paidInParts,
    }),
    outstandingAmount: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        "Outstanding amount of the subscription including tax, in the smallest currency unit. `null` if there's no outstanding amount, or if the page charges the amount.",
      resolve: ({ owed }) => (owed === null ? null : amountDue(owed)),
    }),
    paymentUrl: t.string({
      nullable: true,
      description: 'URL of the page for paying `outstandingAmount`. `null` if `outstandingAmount` is `null`.',
      resolve: async ({ owed }, _args, ctx) =>
        owed === null ? null : (await recoveryLinkTo(ctx, owed.id)).url,
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of the amount, as a lowercase ISO 4217 code.',
      resolve: ({ invoice, subscription }) => (invoice ?? subscription).currency,
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      resolve: ({ invoice, subscription }) => exponentOf((invoice ?? subscription).currency),
    }),
    subscriptionStatus: t.field({
      type: SubscriptionStatus,
      description: 'Status of the subscription.',
      resolve: ({ subscription }) => subscription.status,
    }),
    nextRetryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        "Time of the next automatic retry. A payment attempt by the customer doesn't change this time. `null` unless a payment is past due.",
      resolve: ({ subscription }) => nextAutomaticRetryAt(subscription),
    }),
    accessEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        "Time at which the subscription is canceled if the outstanding amount isn't paid. `null` unless a payment is past due.",
      resolve: ({ subscription }) => accessEndsAt(subscription),
    }),
    successUrl: t
      .maybe('successUrl', 'String')
      .describe(
        'URL to which the customer returns after entering the card. `null` if the customer stays on the page.',
      ),
    publishableKey: t.string({
      nullable: true,
      description:
        "Publishable key of the organization's Stripe account that collects the card. `null` if the platform's payment provider collects the card.",
      resolve: async ({ subscription }, _args, ctx) =>
        (await checkoutConnection(ctx, subscription))?.publishableKey ?? null,
    }),
    instruments: t.field({
      type: [CheckoutInstrument],
      description:
        "Ways to pay that fit the customer's country, the currency, and the amount, cards first. Only cards if the page doesn't charge an amount.",
      resolve: async ({ subscription, customer, invoice, status }, _args, ctx) =>
        invoice === null || status !== 'open'
          ? [{ instrument: defaultInstrument }]
          : offeredInstruments(
              { currency: invoice.currency, country: customer.country, amountMinor: amountDue(invoice) },
              {
                livemode: ctx.livemode,
                connection: await checkoutConnection(ctx, subscription),
                isImmediate: false,
                interval: null,
                enabled: { ...(await enabledInstruments(ctx)), debits: false },
              },
            ),
    }),
    collection: t.field({
      type: CheckoutCollection,
      nullable: true,
      description: 'Pending payment of the invoice. `null` if no payment is pending.',
      resolve: ({ collection }) => collection,
    }),
    authentication: t.field({
      type: CardAuthentication,
      nullable: true,
      description:
        'Authentication that the customer must complete before the card is charged or stored. `null` if no authentication is pending.',
      resolve: ({ subscription, invoice, status }, _args, ctx) =>
        status === 'open'
          ? cardAuthenticationOf(ctx, subscription, { purposes: [invoice === null ? 'storing' : 'paying'] })
          : null,
    }),
    livemode: t.boolean({
      description:
        'Whether the page belongs to the live environment. `false` in a sandbox, which accepts test cards.',
      resolve: (_request, _args, ctx) => ctx.livemode,
    }),
  }),
});
