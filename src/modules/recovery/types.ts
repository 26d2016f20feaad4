import { exponentOf } from '../../domain/money.ts';
import { customerLanguage } from '../../domain/page-language.ts';
import { accessEndsAt, nextAutomaticRetryAt } from '../../domain/subscription/state/view.ts';
import { builder } from '../../graphql/builder.ts';
import { cardAuthenticationOf } from '../checkout/authenticate-card.ts';
import { checkoutConnection } from '../checkout/store-method.ts';
import { CardAuthentication } from '../checkout/types/card-authentication.ts';
import { Currency } from '../currencies/enums.ts';
import { brandingField, localeField, localesField } from '../organizations/types/page.ts';
import { recoveryLinkTo } from '../recovery-links/create.ts';
import { SubscriptionStatus } from '../subscriptions/enums.ts';
import type { CardRequest as Request } from './load.ts';

const CardRequestStatus = builder.enumType('CardRequestStatus', {
  description: 'Whether a page still wants a card.',
  values: {
    open: { description: 'It takes a card.' },
    paid: { description: 'What was due is paid.' },
    closed: { description: 'No card is needed any longer.' },
  } as const,
});

export const CardRequest = builder.objectRef<Request>('CardRequest').implement({
  description: 'What a hosted page shows that asks the customer of a subscription for a card.',
  fields: (t) => ({
    status: t.expose('status', { type: CardRequestStatus, description: 'Whether it still wants one.' }),
    organizationName: t.string({
      description: 'Who sells.',
      resolve: (_request, _args, ctx) => ctx.environment.organizationName,
    }),
    branding: t.field(brandingField),
    locale: t.field(localeField<Request>(({ customer }) => ({ customer: customerLanguage(customer) }))),
    locales: t.field(localesField),
    customerEmail: t.string({ description: 'Who buys.', resolve: ({ customer }) => customer.email }),
    name: t.string({
      description: 'What it is for.',
      resolve: ({ subscription, plan }) => subscription.name ?? plan.name,
    }),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is charged, tax included, minor units; 0 where a card is only stored.',
      resolve: ({ invoice }) => invoice?.total ?? 0n,
    }),
    amountOwed: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        'Where a card is only stored, what the subscription owes besides, tax included, minor units; null when nothing is.',
      resolve: ({ owed }) => owed?.total ?? null,
    }),
    paymentUrl: t.string({
      nullable: true,
      description: 'Where `amountOwed` is paid; null when nothing is owed.',
      resolve: async ({ owed }, _args, ctx) =>
        owed === null ? null : (await recoveryLinkTo(ctx, owed.id)).url,
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amount.',
      resolve: ({ invoice, subscription }) => (invoice ?? subscription).currency,
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ invoice, subscription }) => exponentOf((invoice ?? subscription).currency),
    }),
    subscriptionStatus: t.field({
      type: SubscriptionStatus,
      description: 'Where the subscription stands.',
      resolve: ({ subscription }) => subscription.status,
    }),
    nextRetryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When what is owed is charged again automatically; payments the customer tries do not move it. Null unless a payment is overdue.',
      resolve: ({ subscription }) => nextAutomaticRetryAt(subscription),
    }),
    accessEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the subscription is canceled unless what is owed is paid before. Null unless a payment is overdue.',
      resolve: ({ subscription }) => accessEndsAt(subscription),
    }),
    successUrl: t.exposeString('successUrl', {
      nullable: true,
      description: 'Where the page leads back to; null to stay.',
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Names the organization's account at Stripe, which collects the card; null where the platform's own processor takes it.",
      resolve: async ({ subscription }, _args, ctx) =>
        (await checkoutConnection(ctx, subscription))?.publishableKey ?? null,
    }),
    authentication: t.field({
      type: CardAuthentication,
      nullable: true,
      description:
        'What the customer has to confirm with the bank before the card pays or is stored; null when nothing waits for that.',
      resolve: ({ subscription, invoice, status }, _args, ctx) =>
        status === 'open'
          ? cardAuthenticationOf(ctx, subscription, { purposes: [invoice === null ? 'storing' : 'paying'] })
          : null,
    }),
    livemode: t.boolean({
      description: 'False in the sandbox, where test cards are taken.',
      resolve: (_request, _args, ctx) => ctx.livemode,
    }),
  }),
});
