import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import type { RouteRow } from './set-route.ts';
import { webhookUrl } from './store.ts';

export const ConnectedAccount = builder.prismaObject('PaymentConnection', {
  ...node({ prefix: 'con' }),
  name: 'ConnectedAccount',
  description: 'Account of the organization at a payment provider. Its secrets are never returned.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'Unique identifier with the prefix `con_`. Can be used as `provider` of a new subscription.',
    }),
    name: t.exposeString('name', { description: 'Display name.' }),
    publishableKey: t.exposeString('publishableKey', {
      description: 'Publishable key that identifies the account on payment pages.',
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether new checkouts use the account by default. Routes take precedence.',
    }),
    countries: t.fromRows('routes', {
      orderBy: 'id',
      columns: ['id'],
      type: ['String'],
      description:
        'Countries routed to the account, as uppercase ISO 3166-1 alpha-2 codes in ascending order.',
      resolve: (routes) => routes.map(({ id }) => id),
    }),
    webhookUrl: t.computed({
      type: 'String',
      description: 'URL to enter as the webhook endpoint at the payment provider.',
      columns: ['id'],
      resolve: (connection, _args, ctx) => webhookUrl(ctx, connection.id),
    }),
    hasWebhookSecret: t.computed({
      type: 'Boolean',
      description:
        "Whether the signing secret of the webhook is set. If it isn't set, webhook events are rejected.",
      columns: ['webhookSecret'],
      resolve: ({ webhookSecret }) => webhookSecret !== null,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: "Time at which the account was connected. In a sandbox, the test clock's time.",
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: "Time of the last update. In a sandbox, the test clock's time.",
    }),
    object: t.string({ description: 'Always `payment_connection`.', resolve: () => 'payment_connection' }),
    livemode: t.livemode(),
  }),
});

export const ConnectedAccountConnection = connectionOf(
  'ConnectedAccount',
  ConnectedAccount,
  'connected accounts',
);

export const PaymentRoute = builder.objectRef<RouteRow>('PaymentRoute').implement({
  description: 'Route for new checkouts of payers in a country.',
  fields: (t) => ({
    country: t.exposeString('id', { description: 'Country as an uppercase ISO 3166-1 alpha-2 code.' }),
    isRouted: t.exposeBoolean('isRouted', {
      description: 'Whether the country has a route. `false` if the default account is used.',
    }),
    connection: t.rowById('PaymentConnection', {
      id: 'connectionId',
      nullable: true,
      description:
        "Account that the country is routed to. `null` if the country is routed to the platform's payment provider, or if it has no route.",
    }),
  }),
});
