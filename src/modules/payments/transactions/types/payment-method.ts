import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';

builder.prismaObject('PaymentMethod', {
  ...node({ prefix: 'pm' }),
  description: 'Stored card of a customer. Only the payment provider stores the card number.',
  fields: (t) => ({
    ...t.columns('id', 'provider', 'brand', 'last4', 'expMonth', 'expYear'),
    isDefault: t.fromRows('subscriptions', {
      type: 'Boolean',
      description: "Whether a subscription that isn't canceled uses the card.",
      orderBy: 'seq',
      columns: ['status'],
      resolve: (subscriptions) => subscriptions.some(({ status }) => status !== 'canceled'),
    }),
    ...t.columns('createdAt'),
    customer: t.row('customer', { description: 'Customer who owns the card.' }),
    livemode: t.livemode(),
  }),
});
