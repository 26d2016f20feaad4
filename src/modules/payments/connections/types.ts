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
    id: t.column('id', {
      description:
        'Unique identifier with the prefix `con_`. Can be used as `provider` of a new subscription.',
    }),
    ...t.columns('name', 'publishableKey', 'isDefault'),
    countries: t.fromRows('routes', {
      orderBy: 'id',
      columns: ['id'],
      type: ['String'],
      description:
        'Countries whose checkouts are routed to the account, as uppercase ISO 3166-1 alpha-2 codes in ascending order.',
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
        "Whether the webhook's signing secret is set. If no secret is set, webhook events are rejected.",
      columns: ['webhookSecret'],
      resolve: ({ webhookSecret }) => webhookSecret !== null,
    }),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('payment_connection'),
  }),
});

export const ConnectedAccountConnection = connectionOf(
  'ConnectedAccount',
  ConnectedAccount,
  'connected accounts',
);

export const PaymentRoute = builder.objectRef<RouteRow>('PaymentRoute').implement({
  description:
    'Payment provider or connected account that collects payments for new checkouts by payers in a country.',
  fields: (t) => ({
    country: t
      .member('id', 'String')
      .describe('Country of the payers, as an uppercase ISO 3166-1 alpha-2 code.'),
    isRouted: t
      .member('isRouted', 'Boolean')
      .describe('Whether the country has a route. `false` if the default account is used.'),
    connection: t.rowById('PaymentConnection', {
      id: 'connectionId',
      nullable: true,
      description:
        "Connected account that the country is routed to. `null` if the country is routed to the platform's payment provider, or has no route.",
    }),
  }),
});
