import { builder } from '../../graphql/builder.ts';
import { throwIssues } from '../../graphql/rules.ts';
import { reference } from '../../graphql/shapes.ts';
import { Language } from '../organizations/types/organization.ts';
import { BillingInterval } from '../plans/enums.ts';
import { applyOffer, removeOffer } from './apply-offer.ts';
import { cancelSubscription } from './cancel.ts';
import { createSubscription } from './create.ts';
import { choiceIssues } from './rules.ts';
import { Subscription } from './types/subscription.ts';
import { uncancelSubscription } from './uncancel.ts';

export const SubscriptionCreateInput = builder.inputType('SubscriptionCreateInput', {
  description:
    'A new subscription: exactly one of `planId` and `planCode`, and at most one of `offerId`, `promoCode`, `cardPromotionId`, `customTrialDays` and `skipTrial: true`.',
  fields: (t) => ({
    customerId: t.string({
      required: true,
      rule: reference,
      description: 'Our id of the customer, else its external id.',
    }),
    planId: t.string({ rule: reference, description: 'Id of the plan.' }),
    planCode: t.string({ rule: reference, description: 'Code of the plan.' }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: { nullable: true },
      description:
        'Which of the base prices; that of the default price when absent or null. Rejected on free plans.',
    }),
    priceId: t.string({
      rule: reference,
      description: 'A price of the plan. Defaults to the base price of the interval.',
    }),
    initialSeats: t.field({
      type: 'CountMap',
      description: 'Seats from activation on, by code of the seats feature.',
    }),
    provider: t.string({
      rule: reference,
      description: 'A provider name or connection id. Defaults to routed by country.',
    }),
    name: t.string({
      rule: { minLength: 1, maxLength: 300 },
      description: 'Shown instead of the name of the plan, 1 to 300 characters.',
    }),
    startDate: t.field({
      type: 'DateTime',
      description: 'A later UTC date to start on; today and absent mean now, the past is rejected.',
    }),
    successUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'Where the checkout sends the customer afterwards.',
    }),
    offerId: t.string({ rule: reference, description: 'An offer to apply.' }),
    promoCode: t.string({ rule: reference, description: 'A promo code to apply.' }),
    cardPromotionId: t.string({
      rule: reference,
      description:
        'A card promotion to quote; it holds when the checkout is confirmed with one of its cards.',
    }),
    customTrialDays: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 730 },
      description: 'A trial of this many days instead of that of the price, 1 to 730.',
    }),
    skipTrial: t.boolean({ description: 'True leaves out the trial of the price. Defaults to false.' }),
    locale: t.field({
      type: Language,
      description: "Language of the checkout. Defaults to the customer's, else that of the organization.",
    }),
  }),
});

builder.mutationField('subscriptionCreate', (t) =>
  t.field({
    type: Subscription,
    description:
      'Starts a subscription: free plans are active immediately, others wait for the checkout at `checkoutUrl`. An open checkout for the same choices is answered again; one for others is replaced. `provider_unsupported` with `details.reason` `no_live_processor` in live mode while nothing is set up that could charge.',
    rest: {
      method: 'POST',
      path: '/subscriptions',
      status: 201,
      view: 'CreatedSubscription',
      errors: [
        'customer_not_found',
        'already_has_active_subscription',
        'plan_not_found',
        'plan_unavailable',
        'no_prices_configured',
        'price_not_found',
        'missing_regional_price',
        'feature_not_found',
        'feature_not_in_plan',
        'included_limit_reached',
        'offer_not_found',
        'offer_not_applicable',
        'promo_code_not_found',
        'promo_code_expired',
        'card_promotions_not_available',
        'provider_unsupported',
        'payment_failed',
        'subscription_creation_failed',
        'subscription_activation_failed',
      ],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionCreateInput, required: true, description: 'The new subscription.' }),
    },
    resolve: (_root, { input }, ctx) => {
      throwIssues(choiceIssues(input));
      return createSubscription(ctx, input);
    },
  }),
);

export const SubscriptionCancelInput = builder.inputType('SubscriptionCancelInput', {
  description: 'A cancellation.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the subscription.' }),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Kept with the subscription and sent with its events, up to 1000 characters.',
    }),
    immediate: t.boolean({ description: 'True ends access now. Defaults to false.' }),
  }),
});

builder.mutationField('subscriptionCancel', (t) =>
  t.field({
    type: Subscription,
    description:
      'Ends a subscription at the end of its period, or now: when asked to, and always on free plans, open checkouts and past due ones.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/cancel',
      view: 'Subscription',
      errors: [
        'subscription_not_found',
        'subscription_already_canceled',
        'already_scheduled',
        'one_time_subscription_not_cancelable',
        'charge_in_progress',
        'subscription_cancel_failed',
      ],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionCancelInput, required: true, description: 'The cancellation.' }),
    },
    resolve: (_root, { input }, ctx) => cancelSubscription(ctx, input),
  }),
);

export const SubscriptionUncancelInput = builder.inputType('SubscriptionUncancelInput', {
  description: 'A cancellation to be undone.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the subscription.' }) }),
});

builder.mutationField('subscriptionUncancel', (t) =>
  t.field({
    type: Subscription,
    description: 'Undoes a scheduled cancellation before it takes effect; period and price stay.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/uncancel',
      view: 'Subscription',
      errors: [
        'subscription_not_found',
        'not_scheduled_for_cancellation',
        'subscription_already_canceled',
        'subscription_uncancel_failed',
      ],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionUncancelInput, required: true, description: 'The subscription.' }),
    },
    resolve: (_root, { input }, ctx) => uncancelSubscription(ctx, input),
  }),
);

export const SubscriptionOfferApplyInput = builder.inputType('SubscriptionOfferApplyInput', {
  description: 'An offer for a subscription.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the subscription.' }),
    offerId: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 200 },
      description: 'Id of the offer.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description:
        'When the quote in an open checkout ends; in the future. Without effect on running subscriptions.',
    }),
  }),
});

builder.mutationField('subscriptionOfferApply', (t) =>
  t.field({
    type: Subscription,
    description:
      'Quotes an offer in an open checkout, in place of the quote or trial there, at the same `checkoutUrl`; on a running subscription the offer is applied immediately and lowers the price from the next billing cycle on. Rejected with `offer_not_applicable` while another applied offer has phases left, and for offers with a free trial.',
    rest: {
      method: 'PUT',
      path: '/subscriptions/{id}/offer',
      view: 'Subscription',
      errors: [
        'subscription_not_found',
        'offer_not_found',
        'offer_not_applicable',
        'invalid_subscription_status',
      ],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: SubscriptionOfferApplyInput, required: true, description: 'The offer.' }) },
    resolve: (_root, { input }, ctx) => applyOffer(ctx, input),
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
      'Takes the direct offer off an open checkout, which shows the undiscounted price again at the same `checkoutUrl`; `offer_not_found` when there is none.',
    rest: {
      method: 'DELETE',
      path: '/subscriptions/{id}/offer',
      view: 'Subscription',
      errors: ['subscription_not_found', 'offer_not_found', 'invalid_subscription_status'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionOfferRemoveInput, required: true, description: 'The subscription.' }),
    },
    resolve: (_root, { input }, ctx) => removeOffer(ctx, input),
  }),
);
