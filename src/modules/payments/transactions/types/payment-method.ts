import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';

export const Mandate = builder.prismaObject('Mandate', {
  ...node({ prefix: 'mdt' }),
  description: 'Permission of a payer to debit a bank account.',
  fields: (t) => ({
    ...t.columns('id', 'status', 'reference', 'acceptedAt', 'textVersion', 'endedAt', 'endedBy', 'reason'),
    paymentMethod: t.row('paymentMethod', { description: 'Bank account that the mandate covers.' }),
    customer: t.row('customer', { description: 'Customer who accepted the mandate.' }),
    livemode: t.livemode(),
  }),
});

builder.prismaObject('PaymentMethod', {
  ...node({ prefix: 'pm' }),
  description:
    'Stored payment method of a customer. Only the payment provider stores the card number or the account number.',
  fields: (t) => ({
    ...t.columns('id', 'provider', 'instrument', 'brand', 'last4', 'expMonth', 'expYear'),
    mandates: t.rows('mandates', {
      orderBy: 'seq',
      newestFirst: true,
      description:
        'Mandates for debits from the account, newest first. Empty if the payment method needs no mandate.',
    }),
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
