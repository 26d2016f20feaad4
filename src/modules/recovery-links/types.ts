import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import { ProvidedOfferApplication, providedOfferSelection } from '../offer-applications/types.ts';
import type { RecoveryLink as Link } from './create.ts';
import type { Reactivation as Reactivated } from './reactivate.ts';

const ReactivationStatus = builder.enumType('ReactivationStatus', {
  description: 'How the charge of a reactivation stands.',
  values: {
    processing: { description: 'The payment provider has not answered yet.' },
    succeeded: { description: 'It is paid, or there was nothing to pay.' },
  } as const,
});

export const Reactivation = builder.objectRef<Reactivated>('SubscriptionReactivation').implement({
  description: 'The result of a reactivation.',
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription, the same as before.' }),
    invoiceId: t.exposeID('invoiceId', {
      nullable: true,
      description: 'The invoice that was charged; null on free plans.',
    }),
    status: t.expose('status', { type: ReactivationStatus, description: 'How its charge stands.' }),
    offerApplication: t.field({
      type: ProvidedOfferApplication,
      nullable: true,
      description: 'The offer it starts again with; null without one.',
      resolve: ({ offerApplication }) => offerApplication,
    }),
    object: t.string({
      description: 'Always `subscription_reactivation`.',
      resolve: () => 'subscription_reactivation',
    }),
    livemode: t.livemode(),
  }),
});

restView(
  'ReactivatedSubscription',
  'SubscriptionReactivation',
  `subscriptionId invoiceId status ${providedOfferSelection} object livemode`,
  {
    absentWhenNull: ['offerApplication'],
  },
);

export const PaymentMethodSession = builder
  .objectRef<{ readonly checkoutUrl: string }>('PaymentMethodSession')
  .implement({
    description: 'A page at which the payment method of a subscription can be replaced.',
    fields: (t) => ({
      checkoutUrl: t.exposeString('checkoutUrl', {
        description: 'The address of the page. Anyone who has it may replace the method.',
      }),
      object: t.string({ description: 'Always `checkout_session`.', resolve: () => 'checkout_session' }),
      livemode: t.livemode(),
    }),
  });

restView('PaymentMethodUpdateCheckout', 'PaymentMethodSession', 'checkoutUrl object livemode');

export const RecoveryLink = builder.objectRef<Link>('RecoveryLink').implement({
  description: 'A page at which a past-due subscription can be paid.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The address of the page. Anyone who has it may pay.' }),
    token: t.exposeString('token', { description: 'The signed token in the address.' }),
    object: t.string({ description: 'Always `recovery_link`.', resolve: () => 'recovery_link' }),
    livemode: t.livemode(),
  }),
});

restView('RecoveryLink', 'RecoveryLink', 'url token object livemode');
