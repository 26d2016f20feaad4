import { builder } from '../../graphql/builder.ts';
import { throwIssues } from '../../graphql/rules.ts';
import { reference } from '../../graphql/shapes.ts';
import { BillingInterval } from '../plans/words.ts';
import { cancelSubscription } from './cancel.ts';
import { createSubscription } from './create.ts';
import { choiceIssues } from './create-input.ts';
import { Subscription } from './types.ts';
import { uncancelSubscription } from './uncancel.ts';

export const SubscriptionCreateInput = builder.inputType('SubscriptionCreateInput', {
  description:
    'A new subscription: exactly one of `planId` and `planCode`, and at most one of `offerId`, `promoCode`, `cardPromotionId`, `customTrialDays` and `skipTrial: true`.',
  fields: (t) => ({
    customerId: t.string({ required: true, rule: reference, description: 'Our id of the customer, else its external id.' }),
    planId: t.string({ rule: reference, description: 'Id of the plan.' }),
    planCode: t.string({ rule: reference, description: 'Code of the plan.' }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: { nullable: true },
      description: 'Which of the base prices; that of the default price when absent or null. Refused on free plans.',
    }),
    priceId: t.string({ rule: reference, description: 'A price of the plan; the base price of the interval unless told.' }),
    initialSeats: t.field({ type: 'CountMap', description: 'Seats from activation on, by code of the seats feature.' }),
    provider: t.string({ rule: reference, description: 'A provider name or connection id; routed by country unless told.' }),
    name: t.string({ rule: { minLength: 1, maxLength: 300 }, description: 'Shown instead of the name of the plan, 1 to 300 characters.' }),
    startDate: t.field({ type: 'DateTime', description: 'A later UTC date to start on; today and absent mean now, the past is refused.' }),
    successUrl: t.string({ rule: { format: 'uri', maxLength: 2_000 }, description: 'Where the checkout sends the customer afterwards.' }),
    offerId: t.string({ rule: reference, description: 'An offer to apply.' }),
    promoCode: t.string({ rule: reference, description: 'A promo code to apply.' }),
    cardPromotionId: t.string({
      rule: reference,
      description: 'A card promotion to quote; it holds when the checkout is confirmed with one of its cards.',
    }),
    customTrialDays: t.field({
      type: 'SafeInt',
      rule: { minimum: 1, maximum: 730 },
      description: 'A trial of this many days instead of that of the price, 1 to 730.',
    }),
    skipTrial: t.boolean({ description: 'True leaves out the trial of the price; false unless told.' }),
  }),
});

builder.mutationField('subscriptionCreate', (t) =>
  t.field({
    type: Subscription,
    description:
      'Starts a subscription: free plans are active at once, others wait for the checkout at `checkoutUrl`. An open checkout for the same choices is answered again; one for others is replaced (SUB-12).',
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
    args: { input: t.arg({ type: SubscriptionCreateInput, required: true, description: 'The new subscription.' }) },
    resolve: (_root, { input }, context) => {
      throwIssues(choiceIssues(input));
      return createSubscription(context, input);
    },
  }),
);

export const SubscriptionCancelInput = builder.inputType('SubscriptionCancelInput', {
  description: 'A cancellation.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the subscription.' }),
    reason: t.string({
      rule: { maxLength: 1_000 },
      description: 'Kept with the subscription and sent with its events, up to 1000 characters.',
    }),
    immediate: t.boolean({ description: 'True ends access now; false unless told.' }),
  }),
});

builder.mutationField('subscriptionCancel', (t) =>
  t.field({
    type: Subscription,
    description:
      'Ends a subscription at the end of its period, or now: when asked to, and always on free plans, open checkouts and past due ones (SUB-23, SUB-24).',
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
    args: { input: t.arg({ type: SubscriptionCancelInput, required: true, description: 'The cancellation.' }) },
    resolve: (_root, { input }, context) => cancelSubscription(context, input),
  }),
);

export const SubscriptionUncancelInput = builder.inputType('SubscriptionUncancelInput', {
  description: 'A cancellation to be undone.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the subscription.' }) }),
});

builder.mutationField('subscriptionUncancel', (t) =>
  t.field({
    type: Subscription,
    description: 'Undoes a scheduled cancellation before it takes effect; period and price stay (SUB-29).',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/uncancel',
      view: 'Subscription',
      errors: ['subscription_not_found', 'not_scheduled_for_cancellation', 'subscription_already_canceled', 'subscription_uncancel_failed'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: SubscriptionUncancelInput, required: true, description: 'The subscription.' }) },
    resolve: (_root, { input }, context) => uncancelSubscription(context, input),
  }),
);
