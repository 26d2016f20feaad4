import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import type { RouteRow } from './set-route.ts';
import { webhookUrl } from './store.ts';

export const ConnectedAccount = builder.prismaObject('PaymentConnection', {
  ...node({ prefix: 'con' }),
  name: 'ConnectedAccount',
  description: 'An account of the organization at a payment provider. Its secrets are never shown.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Our identifier, `con_…`; a new subscription may name it as `provider`.',
    }),
    name: t.exposeString('name', { description: 'What people call it.' }),
    publishableKey: t.exposeString('publishableKey', {
      description: 'By which pages name the account to the provider.',
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'True for the one new checkouts use by default, unless a route says otherwise.',
    }),
    countries: t.fromRows('routes', {
      orderBy: 'id',
      columns: ['id'],
      type: ['String'],
      description: 'Upper-case ISO 3166-1 alpha-2 codes of the countries routed to it, ascending.',
      resolve: (routes) => routes.map(({ id }) => id),
    }),
    webhookUrl: t.computed({
      type: 'String',
      description: 'Where the provider is to send its events.',
      columns: ['id'],
      resolve: (connection, _args, ctx) => webhookUrl(ctx, connection.id),
    }),
    hasWebhookSecret: t.computed({
      type: 'Boolean',
      description: 'True once the signing secret of the webhook is known; without it no event is taken in.',
      columns: ['webhookSecret'],
      resolve: ({ webhookSecret }) => webhookSecret !== null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
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
  description: 'Where new checkouts of payers in a country go.',
  fields: (t) => ({
    country: t.exposeString('id', { description: 'Upper-case ISO 3166-1 alpha-2 code.' }),
    isRouted: t.exposeBoolean('isRouted', {
      description: 'False when the country goes where the default is.',
    }),
    connection: t.rowById('PaymentConnection', {
      id: 'connectionId',
      nullable: true,
      description:
        "The account it is routed to; null for the platform's own processor, and when the country is not routed.",
    }),
  }),
});
