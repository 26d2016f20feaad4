import { builder } from '../../graphql/builder.ts';
import { applyOffer, removeOffer } from './offer.ts';
import { Subscription } from './types.ts';

export const SubscriptionOfferApplyInput = builder.inputType('SubscriptionOfferApplyInput', {
  description: 'An offer for a subscription.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the subscription.' }),
    offerId: t.string({ required: true, rule: { minLength: 1, maxLength: 200 }, description: 'Id of the offer.' }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When the quote in an open checkout ends; in the future. Without effect on running subscriptions.',
    }),
  }),
});

builder.mutationField('subscriptionOfferApply', (t) =>
  t.field({
    type: Subscription,
    description:
      'Quotes an offer in an open checkout, in place of the quote or trial there, at the same `checkoutUrl`; on a running subscription the offer is applied at once and lowers the price from the next billing cycle on. Refused with `offer_not_applicable` while another applied offer has phases left, and for offers with a free trial (OFR-21).',
    rest: {
      method: 'PUT',
      path: '/subscriptions/{id}/offer',
      view: 'Subscription',
      errors: ['subscription_not_found', 'offer_not_found', 'offer_not_applicable', 'invalid_subscription_status'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: SubscriptionOfferApplyInput, required: true, description: 'The offer.' }) },
    resolve: (_root, { input }, context) => applyOffer(context, input),
  }),
);

export const SubscriptionOfferRemoveInput = builder.inputType('SubscriptionOfferRemoveInput', {
  description: 'A checkout whose offer is taken off.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the subscription.' }) }),
});

builder.mutationField('subscriptionOfferRemove', (t) =>
  t.field({
    type: Subscription,
    description:
      'Takes the direct offer off an open checkout, which shows the undiscounted price again at the same `checkoutUrl`; `offer_not_found` when there is none (OFR-24).',
    rest: {
      method: 'DELETE',
      path: '/subscriptions/{id}/offer',
      view: 'Subscription',
      errors: ['subscription_not_found', 'offer_not_found', 'invalid_subscription_status'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: SubscriptionOfferRemoveInput, required: true, description: 'The subscription.' }) },
    resolve: (_root, { input }, context) => removeOffer(context, input),
  }),
);
