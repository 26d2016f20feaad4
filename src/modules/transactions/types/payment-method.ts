import { builder } from '../../../graphql/builder.ts';
import { node } from '../../../graphql/node.ts';
import { PaymentProvider } from '../enums.ts';

export const PaymentMethod = builder.prismaObject('PaymentMethod', {
  ...node({ prefix: 'pm' }),
  description: 'A card a customer has stored. Its number is with the provider only.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pm_…`.' }),
    provider: t.expose('provider', { type: PaymentProvider, description: 'The provider that keeps it.' }),
    brand: t.exposeString('brand', { description: 'Brand of the card, such as `visa`.' }),
    last4: t.exposeString('last4', { description: 'Its last four digits.' }),
    expMonth: t.expose('expMonth', { type: 'Int', description: 'Month of its expiry, 1 to 12.' }),
    expYear: t.expose('expYear', { type: 'Int', description: 'Year of its expiry, four digits.' }),
    isDefault: t.fromRows('subscriptions', {
      type: 'Boolean',
      description: 'Whether a subscription that has not ended is charged to it.',
      orderBy: 'seq',
      columns: ['status'],
      resolve: (subscriptions) => subscriptions.some(({ status }) => status !== 'canceled'),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of storing it.' }),
    customer: t.row('customer', { description: 'Whose it is.' }),
    livemode: t.livemode(),
  }),
});
