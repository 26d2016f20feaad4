import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { PaymentProvider } from '../enums.ts';

export const PaymentMethod = builder.prismaObject('PaymentMethod', {
  ...node({ prefix: 'pm' }),
  description: 'Stored card of a customer. Only the payment provider stores the card number.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier with the prefix `pm_`.' }),
    provider: t.expose('provider', {
      type: PaymentProvider,
      description: 'Payment provider that stores the card.',
    }),
    brand: t.exposeString('brand', { description: 'Brand of the card, such as `visa`.' }),
    last4: t.exposeString('last4', { description: 'Last four digits of the card number.' }),
    expMonth: t.expose('expMonth', { type: 'Int', description: 'Expiration month, from 1 to 12.' }),
    expYear: t.expose('expYear', { type: 'Int', description: 'Expiration year, with 4 digits.' }),
    isDefault: t.fromRows('subscriptions', {
      type: 'Boolean',
      description: "Whether a subscription that isn't canceled uses the card.",
      orderBy: 'seq',
      columns: ['status'],
      resolve: (subscriptions) => subscriptions.some(({ status }) => status !== 'canceled'),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: "Time at which the card was stored. In a sandbox, the test clock's time.",
    }),
    customer: t.row('customer', { description: 'Customer who owns the card.' }),
    livemode: t.livemode(),
  }),
});
