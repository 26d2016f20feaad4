import { operation } from '../../../engine/operation.ts';
import { reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../catalog/plans/enums.ts';
import { Language } from '../../organization/organizations/types/organization.ts';
import { findBuyer, selectionOf } from './create.ts';
import { choiceIssues } from './rules.ts';
import { onSubscription, requireSubscription } from './store.ts';
import { Subscription } from './types/subscription.ts';

const SubscriptionCreateInput = builder.inputType('SubscriptionCreateInput', {
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
      description: 'Number of seats at activation for each seat feature, by feature code.',
    }),
    provider: t.string({
      rule: reference,
      description:
        "Payment provider, or ID of a payment connection. Defaults to the provider set for the customer's country, or otherwise to the organization's default provider.",
    }),
    name: t.string({
      rule: { minLength: 1, maxLength: 300 },
      description: 'Name of the subscription. From 1 to 300 characters. Defaults to the name of the plan.',
    }),
    startDate: t.field({
      type: 'DateTime',
      description:
        'UTC date on which the subscription starts. Must not be in the past. If the date is today or omitted, the subscription starts immediately.',
    }),
    successUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'URL to which the checkout redirects the customer after payment. Up to 2,000 characters.',
    }),
    offerId: t.string({ rule: reference, description: 'ID of the offer to apply.' }),
    promoCode: t.string({ rule: reference, description: 'Promo code to apply.' }),
    cardPromotionId: t.string({
      rule: reference,
      description:
        'ID of the card promotion to quote. The promotion applies if the customer confirms the checkout with an eligible card.',
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
        "Language of the checkout. Defaults to the customer's language, or to the organization's language if the customer has none.",
    }),
  }),
});

/** Creates a subscription, or returns the subscription of the open checkout with the same parameters (SUB-6 … SUB-14). */
export const subscriptionCreate = operation({
  input: SubscriptionCreateInput,
  issues: choiceIssues,
  find: findBuyer,
  command: (input, { connectionId }) => ({
    kind: 'subscription.create',
    selection: selectionOf(input, connectionId),
  }),
  result: (ctx, { done: { subscriptionId } }) => {
    if (subscriptionId === null) throw new Error('A creation named no subscription.');
    return requireSubscription(ctx, subscriptionId);
  },
});

builder.mutationField('subscriptionCreate', (t) =>
  t.operation(subscriptionCreate, {
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
        "the payment connection doesn't exist or can't be used, or if no payment provider is configured in the live environment (`details.reason` is `no_live_processor`)",
      ],
      'payment_failed',
      'subscription_creation_failed',
      'subscription_activation_failed',
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SubscriptionCancelInput = builder.inputType('SubscriptionCancelInput', {
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

/**
 * Cancels a subscription at the end of the current period, or immediately if requested. Cancellations of free plans, and of
 * subscriptions that are past due or haven't started yet, are always immediate (SUB-23, SUB-24).
 */
export const subscriptionCancel = operation({
  input: SubscriptionCancelInput,
  ...onSubscription,
  command: ({ id, reason, immediate }) => ({
    kind: 'subscription.cancel',
    subscriptionId: id,
    reason: reason ?? null,
    immediate: immediate ?? false,
  }),
});

builder.mutationField('subscriptionCancel', (t) =>
  t.operation(subscriptionCancel, {
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
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SubscriptionUncancelInput = builder.inputType('SubscriptionUncancelInput', {
  description: 'Parameters for undoing a scheduled cancellation.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the subscription.' }) }),
});

/** Revokes a scheduled cancellation (SUB-29). */
export const subscriptionUncancel = operation({
  input: SubscriptionUncancelInput,
  ...onSubscription,
  command: ({ id }) => ({ kind: 'subscription.uncancel', subscriptionId: id }),
});

builder.mutationField('subscriptionUncancel', (t) =>
  t.operation(subscriptionUncancel, {
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
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SubscriptionOfferApplyInput = builder.inputType('SubscriptionOfferApplyInput', {
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

/**
 * Quotes an offer in a subscription's open checkout, or applies the offer to an active subscription from its next billing cycle (OFR-21).
 * Throws `validation_error` if `expiresAt` is in the past.
 */
export const offerApply = operation({
  input: SubscriptionOfferApplyInput,
  ...onSubscription,
  command: ({ id, offerId, expiresAt }) => ({
    kind: 'offer.apply',
    subscriptionId: id,
    offerId,
    expiresAt: expiresAt ?? null,
  }),
});

builder.mutationField('subscriptionOfferApply', (t) =>
  t.operation(offerApply, {
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
        'another applied offer has remaining phases, or if the offer contains a free trial',
      ],
      'invalid_subscription_status',
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SubscriptionOfferRemoveInput = builder.inputType('SubscriptionOfferRemoveInput', {
  description: 'Parameters for removing an offer from an open checkout.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the subscription.' }) }),
});

/** Removes a directly applied offer from a subscription's open checkout (OFR-24). */
export const offerRemove = operation({
  input: SubscriptionOfferRemoveInput,
  ...onSubscription,
  command: ({ id }) => ({ kind: 'offer.remove', subscriptionId: id }),
});

builder.mutationField('subscriptionOfferRemove', (t) =>
  t.operation(offerRemove, {
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
    movesMoney: true,
    access: { scope: 'write' },
  }),
);
