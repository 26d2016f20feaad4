import { builder } from '../../../../graphql/reading/builder.ts';

export const PortalPaymentMethod = builder.prismaObject('PaymentMethod', {
  variant: 'PortalPaymentMethod',
  description: 'Stored card of a customer.',
  fields: (t) => ({
    paymentMethodId: t.exposeID('id', {
      description: 'ID of the payment method, as sent to `portalPaymentMethodDefaultSet`.',
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
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the card was stored.' }),
  }),
});
