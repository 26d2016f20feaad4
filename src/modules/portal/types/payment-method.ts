import { builder } from '../../../graphql/builder.ts';

export const PortalPaymentMethod = builder.prismaObject('PaymentMethod', {
  variant: 'PortalPaymentMethod',
  description: 'A card a customer has stored.',
  fields: (t) => ({
    paymentMethodId: t.exposeID('id', { description: 'Names it in `portalPaymentMethodDefaultSet`.' }),
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
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was stored.' }),
  }),
});
