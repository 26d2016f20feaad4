import { builder } from '../../../../graphql/reading/builder.ts';

export const PortalPaymentMethod = builder.prismaObject('PaymentMethod', {
  variant: 'PortalPaymentMethod',
  description: 'Stored card of a customer.',
  fields: (t) => ({
    paymentMethodId: t.column('id', {
      description: 'ID of the payment method, as sent to `portalPaymentMethodDefaultSet`.',
    }),
    ...t.columns('brand', 'last4', 'expMonth', 'expYear'),
    isDefault: t.fromRows('subscriptions', {
      type: 'Boolean',
      description: "Whether the card is the payment method of a subscription that isn't canceled.",
      orderBy: 'seq',
      columns: ['status'],
      resolve: (subscriptions) => subscriptions.some(({ status }) => status !== 'canceled'),
    }),
    createdAt: t.column('createdAt', { description: 'Time at which the card was stored.' }),
  }),
});
