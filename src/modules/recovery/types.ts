import { exponentOf } from '../../domain/money.ts';
import { builder } from '../../graphql/builder.ts';
import { checkoutConnection } from '../checkout/method.ts';
import type { CardRequest as Request } from './state.ts';

const CardRequestStatus = builder.enumType('CardRequestStatus', {
  description: 'Whether a page still wants a card.',
  values: {
    open: { description: 'It takes a card.' },
    paid: { description: 'What was due is paid.' },
    closed: { description: 'There is nothing to ask for any more.' },
  } as const,
});

export const CardRequest = builder.objectRef<Request>('CardRequest').implement({
  description: 'What a hosted page shows that asks the customer of a subscription for a card.',
  fields: (t) => ({
    status: t.expose('status', { type: CardRequestStatus, description: 'Whether it still wants one.' }),
    organizationName: t.string({ description: 'Who sells.', resolve: (_request, _args, context) => context.environment.organizationName }),
    customerEmail: t.string({ description: 'Who buys.', resolve: ({ customer }) => customer.email }),
    name: t.string({ description: 'What it is for.', resolve: ({ subscription, plan }) => subscription.name ?? plan.name }),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is charged, tax included, minor units; 0 where a card is only stored.',
      resolve: ({ invoice }) => invoice?.total ?? 0n,
    }),
    currency: t.string({
      description: 'Lower-case ISO 4217 code of the amount.',
      resolve: ({ invoice, subscription }) => (invoice ?? subscription).currency,
    }),
    currencyDecimals: t.field({
      type: 'SafeInt',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ invoice, subscription }) => exponentOf((invoice ?? subscription).currency),
    }),
    successUrl: t.exposeString('successUrl', { nullable: true, description: 'Where the page leads back to; null to stay.' }),
    publishableKey: t.string({
      nullable: true,
      description: "Names the organization's account at Stripe, which collects the card; null where the platform's own rail takes it.",
      resolve: async ({ subscription }, _args, context) => (await checkoutConnection(context, subscription))?.publishableKey ?? null,
    }),
    livemode: t.boolean({
      description: 'False in the sandbox, where test cards are taken.',
      resolve: (_request, _args, context) => context.livemode,
    }),
  }),
});
