import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { ProvidedOfferApplication, providedOfferSelection } from '../offer-applications/types.ts';
import type { RecoveryLink as Link } from './create.ts';
import type { Reactivation as Reactivated } from './reactivate.ts';

const ReactivationStatus = builder.enumType('ReactivationStatus', {
  description: 'Status of the charge for a reactivation.',
  values: {
    processing: { description: "The payment provider hasn't responded yet." },
    succeeded: { description: 'The invoice is paid, or there was nothing to pay.' },
  } as const,
});

export const Reactivation = builder.objectRef<Reactivated>('SubscriptionReactivation').implement({
  description: 'Result of reactivating a subscription.',
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'ID of the subscription.' }),
    invoiceId: t.exposeID('invoiceId', {
      nullable: true,
      description: 'ID of the charged invoice. `null` if the plan is free.',
    }),
    status: t.expose('status', { type: ReactivationStatus, description: 'Status of the charge.' }),
    offerApplication: t.field({
      type: ProvidedOfferApplication,
      nullable: true,
      description: 'Offer applied to the reactivated subscription. `null` if no offer was applied.',
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
    description: 'Link to the page on which the payment method of a subscription can be replaced.',
    fields: (t) => ({
      checkoutUrl: t.exposeString('checkoutUrl', {
        description: 'URL of the page. Anyone with the URL can replace the payment method.',
      }),
      object: t.string({ description: 'Always `checkout_session`.', resolve: () => 'checkout_session' }),
      livemode: t.livemode(),
    }),
  });

restView('PaymentMethodUpdateCheckout', 'PaymentMethodSession', 'checkoutUrl object livemode');

export const RecoveryLink = builder.objectRef<Link>('RecoveryLink').implement({
  description: 'Link to the page on which a past-due subscription can be paid.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'URL of the page. Anyone with the URL can pay.' }),
    token: t.exposeString('token', { description: 'Signed token from the URL.' }),
    object: t.string({ description: 'Always `recovery_link`.', resolve: () => 'recovery_link' }),
    livemode: t.livemode(),
  }),
});

restView('RecoveryLink', 'RecoveryLink', 'url token object livemode');
