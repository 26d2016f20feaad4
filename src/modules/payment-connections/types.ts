import { builder } from '../../graphql/builder.ts';
import { loadRow, loadRowsBy } from '../../graphql/loaders.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import type { RouteRow } from './routes.ts';
import { webhookUrl } from './service.ts';

export const ConnectedAccount = builder.prismaObject('PaymentConnection', {
  name: 'ConnectedAccount',
  description: 'An account of the organization at a payment provider. Its secrets are never shown.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `con_…`; a new subscription may name it as `provider`.' }),
    name: t.exposeString('name', { description: 'What people call it.' }),
    publishableKey: t.exposeString('publishableKey', { description: 'By which pages name the account to the provider.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'True for the one new checkouts use unless told or routed otherwise.' }),
    countries: t.stringList({
      description: 'Upper-case ISO 3166-1 alpha-2 codes of the countries routed to it, ascending.',
      resolve: async (connection, _args, context) =>
        (await loadRowsBy(context, 'PaymentRoute', 'connectionId', connection.id, 'id')).map(({ id }) => id),
    }),
    webhookUrl: t.string({
      description: 'Where the provider is to send its events.',
      resolve: (connection, _args, context) => webhookUrl(context, connection.id),
    }),
    hasWebhookSecret: t.boolean({
      description: 'True once the signing secret of the webhook is known; without it no event is taken in.',
      resolve: ({ webhookSecret }) => webhookSecret !== null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    object: t.string({ description: 'Always `payment_connection`.', resolve: () => 'payment_connection' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_connection, _args, context) => context.livemode }),
  }),
});

export const ConnectedAccountConnection = connectionOf('PaymentConnection', ConnectedAccount, 'connected accounts');

export const PaymentRoute = builder.objectRef<RouteRow>('PaymentRoute').implement({
  description: 'Where new checkouts of payers in a country go.',
  fields: (t) => ({
    country: t.exposeString('id', { description: 'Upper-case ISO 3166-1 alpha-2 code.' }),
    isRouted: t.exposeBoolean('isRouted', { description: 'False when the country goes where the default is.' }),
    connection: t.field({
      type: ConnectedAccount,
      nullable: true,
      description: "The account it is routed to; null for the platform's own rail, and when the country is not routed.",
      resolve: ({ connectionId }, _args, context) => (connectionId === null ? null : loadRow(context, 'PaymentConnection', connectionId)),
    }),
  }),
});
