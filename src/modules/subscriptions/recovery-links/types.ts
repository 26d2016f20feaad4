import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { ProvidedOfferApplication, providedOfferSelection } from '../offer-applications/types.ts';
import type { RecoveryLink as Link } from './create.ts';
import type { Reactivation as Reactivated } from './reactivate.ts';

const ReactivationStatus = builder.enumType('ReactivationStatus', {
  description: 'Status of the charge for a reactivation.',
  values: {
    processing: { description: "The payment provider hasn't responded to the charge yet." },
    succeeded: { description: 'The invoice is paid, or there was nothing to pay.' },
  } as const,
});

export const Reactivation = builder.objectRef<Reactivated>('SubscriptionReactivation').implement({
  description: 'Result of reactivating a subscription.',
  fields: (t) => ({
    subscriptionId: t.member('subscriptionId', 'ID').describe('ID of the subscription.'),
    invoiceId: t.maybe('invoiceId', 'ID').describe('ID of the charged invoice. `null` if the plan is free.'),
    status: t.member('status', ReactivationStatus).describe('Status of the charge.'),
    offerApplication: t
      .maybe('offerApplication', ProvidedOfferApplication)
      .describe('Offer applied to the reactivated subscription. `null` if no offer was applied.'),
    ...t.resource('subscription_reactivation'),
  }),
});

restView(
  'ReactivatedSubscription',
  'SubscriptionReactivation',
  `subscriptionId invoiceId status ${providedOfferSelection} object livemode`,
  {
    absentWhenUnset: ['offerApplication'],
  },
);

export const PaymentMethodSession = builder
  .objectRef<{ readonly checkoutUrl: string }>('PaymentMethodSession')
  .implement({
    description: "Link to a hosted page for replacing a subscription's payment method.",
    fields: (t) => ({
      checkoutUrl: t
        .member('checkoutUrl', 'String')
        .describe('URL of the page. Anyone with the URL can replace the payment method.'),
      ...t.resource('checkout_session'),
    }),
  });

restView('PaymentMethodUpdateCheckout', 'PaymentMethodSession', 'checkoutUrl object livemode');

export const RecoveryLink = builder.objectRef<Link>('RecoveryLink').implement({
  description: 'Link to a hosted page for paying the outstanding invoice of a past-due subscription.',
  fields: (t) => ({
    url: t.member('url', 'String').describe('URL of the page. Anyone with the URL can pay.'),
    token: t.member('token', 'String').describe('Signed token from the URL.'),
    ...t.resource('recovery_link'),
  }),
});

restView('RecoveryLink', 'RecoveryLink', 'url token object livemode');
