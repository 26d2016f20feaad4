import { throwIssues } from '../../../graphql/declare/rules.ts';
import { reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../catalog/plans/enums.ts';
import { Language } from '../../organization/organizations/types/organization.ts';
import { applyOffer, removeOffer } from './apply-offer.ts';
import { cancelSubscription } from './cancel.ts';
import { createSubscription } from './create.ts';
import { choiceIssues } from './rules.ts';
import { Subscription } from './types/subscription.ts';
import { uncancelSubscription } from './uncancel.ts';

export const SubscriptionCreateInput = builder.inputType('SubscriptionCreateInput', {
  description:
    'Parameters for creating a subscription. Set exactly one of `planId` and `planCode`, and at most one of `offerId`, `promoCode`, `cardPromotionId`, `customTrialDays`, and `skipTrial: true`.',
  fields: (t) => ({
    customerId: t.string({
      required: true,
      rule: reference,
      description: 'ID or external ID of the customer.',
    }),
    planId: t.string({ rule: reference, description: 'ID of the plan.' }),
    planCode: t.string({ rule: reference, description: 'Code of the plan.' }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: { nullable: true },
      description:
        "Billing interval. Defaults to the interval of the plan's default price. Not allowed for free plans.",
    }),
    priceId: t.string({
      rule: reference,
      description: 'ID of a price of the plan. Defaults to the base price of the billing interval.',
    }),
    initialSeats: t.field({
      type: 'CountMap',
      description: 'Number of seats at activation, by code of the seats feature.',
    }),
    provider: t.string({
      rule: reference,
      description:
        "Payment provider, or ID of a payment connection. Defaults to the provider that the customer's country is routed to.",
    }),
    name: t.string({
      rule: { minLength: 1, maxLength: 300 },
      description: 'Name of the subscription. From 1 to 300 characters. Defaults to the name of the plan.',
    }),
    startDate: t.field({
      type: 'DateTime',
      description:
        'UTC date on which the subscription starts. Must not be in the past. Defaults to the current time, which also applies if the date is today.',
    }),
    successUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'URL that the checkout sends the customer to after payment. Up to 2,000 characters.',
    }),
    offerId: t.string({ rule: reference, description: 'ID of the offer to apply.' }),
    promoCode: t.string({ rule: reference, description: 'Promo code to apply.' }),
    cardPromotionId: t.string({
      rule: reference,
      description:
        'ID of the card promotion to quote. Applies if the customer confirms the checkout with an eligible card.',
    }),
    customTrialDays: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 730 },
      description: 'Length of the trial in days, from 1 to 730. Replaces the trial of the price.',
    }),
    skipTrial: t.boolean({ description: 'Whether to skip the trial of the price. Defaults to `false`.' }),
    locale: t.field({
      type: Language,
      description:
        "Language of the checkout. Defaults to the customer's language, or otherwise to the organization's language.",
    }),
  }),
});

builder.mutationField('subscriptionCreate', (t) =>
  t.field({
    type: Subscription,
    description:
      'Creates a subscription. Free plans are active immediately. For other plans, the customer pays in the checkout at `checkoutUrl`. If a checkout with the same parameters is open, the response contains its subscription. An open checkout with different parameters is replaced.',
    rest: {
      method: 'POST',
      path: '/subscriptions',
      status: 201,
      view: 'CreatedSubscription',
    },
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
      [
        'provider_unsupported',
        "the payment connection doesn't exist or can't be used. In live mode, `details.reason` is `no_live_processor` if no payment provider is set up",
      ],
      'payment_failed',
      'subscription_creation_failed',
      'subscription_activation_failed',
    ],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionCreateInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => {
      throwIssues(choiceIssues(input));
      return createSubscription(ctx, input);
    },
  }),
);

export const SubscriptionCancelInput = builder.inputType('SubscriptionCancelInput', {
  description: 'Parameters for canceling a subscription.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the subscription.' }),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description:
        'Reason for the cancellation, stored with the subscription and included in its events. Up to 1,000 characters.',
    }),
    immediate: t.boolean({
      description:
        'Whether to cancel immediately instead of at the end of the current period. Defaults to `false`.',
    }),
  }),
});

builder.mutationField('subscriptionCancel', (t) =>
  t.field({
    type: Subscription,
    description:
      'Cancels a subscription at the end of the current period, or immediately if `immediate` is `true`. Free, pending, and past-due subscriptions are always canceled immediately.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/cancel',
      view: 'Subscription',
    },
    errors: [
      'subscription_not_found',
      'subscription_already_canceled',
      ['already_scheduled', 'a cancellation is already scheduled'],
      'one_time_subscription_not_cancelable',
      'charge_in_progress',
      'subscription_cancel_failed',
    ],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionCancelInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => cancelSubscription(ctx, input),
  }),
);

export const SubscriptionUncancelInput = builder.inputType('SubscriptionUncancelInput', {
  description: 'Parameters for undoing a scheduled cancellation.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the subscription.' }) }),
});

builder.mutationField('subscriptionUncancel', (t) =>
  t.field({
    type: Subscription,
    description:
      "Undoes a scheduled cancellation before it takes effect. The current period and the price don't change.",
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/uncancel',
      view: 'Subscription',
    },
    errors: [
      'subscription_not_found',
      'not_scheduled_for_cancellation',
      'subscription_already_canceled',
      'subscription_uncancel_failed',
    ],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionUncancelInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => uncancelSubscription(ctx, input),
  }),
);

export const SubscriptionOfferApplyInput = builder.inputType('SubscriptionOfferApplyInput', {
  description: 'Parameters for applying an offer to a subscription.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the subscription.' }),
    offerId: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 200 },
      description: 'ID of the offer.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description:
        'Time at which the quote in an open checkout expires. Must be in the future. Ignored for active subscriptions.',
    }),
  }),
});

builder.mutationField('subscriptionOfferApply', (t) =>
  t.field({
    type: Subscription,
    description:
      "Applies an offer to a subscription. In an open checkout, the offer replaces the current quote or trial, and `checkoutUrl` doesn't change. For an active subscription, the offer is applied immediately and lowers the price from the next billing cycle.",
    rest: {
      method: 'PUT',
      path: '/subscriptions/{id}/offer',
      view: 'Subscription',
    },
    errors: [
      'subscription_not_found',
      'offer_not_found',
      [
        'offer_not_applicable',
        'another applied offer still has phases, or if the offer contains a free trial',
      ],
      'invalid_subscription_status',
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: SubscriptionOfferApplyInput, required: true }) },
    resolve: (_root, { input }, ctx) => applyOffer(ctx, input),
  }),
);

export const SubscriptionOfferRemoveInput = builder.inputType('SubscriptionOfferRemoveInput', {
  description: 'Parameters for removing an offer from an open checkout.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the subscription.' }) }),
});

builder.mutationField('subscriptionOfferRemove', (t) =>
  t.field({
    type: Subscription,
    description:
      "Removes a directly applied offer from an open checkout. The checkout shows the price without the offer, and `checkoutUrl` doesn't change.",
    rest: {
      method: 'DELETE',
      path: '/subscriptions/{id}/offer',
      view: 'Subscription',
    },
    errors: [
      'subscription_not_found',
      ['offer_not_found', 'the checkout has no directly applied offer'],
      'invalid_subscription_status',
    ],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionOfferRemoveInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => removeOffer(ctx, input),
  }),
);
