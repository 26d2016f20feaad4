import { operation } from '../../../engine/operation.ts';
import { reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { RecurringInterval } from '../../catalog/offers/enums.ts';
import { BillingInterval } from '../../catalog/plans/enums.ts';
import { onSubscription } from '../subscriptions/store.ts';
import { Subscription } from '../subscriptions/types/subscription.ts';
import { changeCommand, changeIssues, changeResult } from './change.ts';
import { PlanChange } from './types.ts';

const SubscriptionChangePlanInput = builder.inputType('SubscriptionChangePlanInput', {
  description:
    'Parameters for changing the plan or the billing interval of a subscription. Set at least one of `newPlanId` and `newBillingInterval`.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the subscription.' }),
    newPlanId: t.string({
      rule: reference,
      description: 'ID of a plan in the same plan group. Defaults to the current plan.',
    }),
    newBillingInterval: t.field({
      type: RecurringInterval,
      description:
        "New billing interval. Defaults to the current interval. If the plan has no price for the current interval, defaults to the interval of the plan's default price.",
    }),
    successUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'URL to which the checkout redirects the customer after payment. Up to 2,000 characters.',
    }),
    offerId: t.string({
      rule: reference,
      description: 'ID of an offer without a free trial. Allowed for immediate changes only.',
    }),
  }),
});

/**
 * Changes the plan or the interval of a subscription (SUB-37 to SUB-50). A declined charge changes nothing. Customers can only choose
 * public plans.
 */
export const planChange = operation({
  input: SubscriptionChangePlanInput,
  issues: changeIssues,
  find: onSubscription.find,
  command: (input, _subscription, ctx) => changeCommand(ctx, input),
  awaitsPayment: true,
  result: changeResult,
});

builder.mutationField('subscriptionChangePlan', (t) =>
  t.operation(planChange, {
    type: PlanChange,
    description:
      'Changes the plan or the billing interval of a subscription. A change to a longer interval, or to a higher-ranked plan with the same interval, takes effect immediately. The customer is charged the new price minus the unused part of the current plan amount, and a new period starts. Other changes, including changes to a free plan, take effect at the end of the current period. A change from a free plan requires a checkout. Requesting the current plan and interval cancels a scheduled change.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/change-plan',
      view: 'PlanChange',
    },
    errors: [
      'subscription_not_found',
      'subscription_not_active',
      'subscription_has_open_dispute',
      'already_scheduled',
      'plan_not_found',
      'plan_unavailable',
      'no_change_requested',
      'plans_not_in_same_group',
      'free_plan_change_not_supported',
      'no_prices_configured',
      'price_not_found',
      'missing_regional_price',
      'offer_not_found',
      'offer_not_applicable',
      'seat_limit_exceeded',
      'no_payment_method',
      ['charge_failed', "the charge is declined, in which case the subscription doesn't change"],
      'payment_failed',
      'charge_in_progress',
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

export const SubscriptionPreviewChangeInput = builder.inputType('SubscriptionPreviewChangeInput', {
  description: 'Parameters for previewing a plan change.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the subscription.' }),
    planId: t.string({
      required: true,
      rule: reference,
      description:
        'ID of a plan in the same plan group. To preview a different billing interval, set the current plan.',
    }),
    billingInterval: t.field({
      type: BillingInterval,
      description:
        "New billing interval. Defaults to the current interval. If the plan has no price for the current interval, defaults to the interval of the plan's default price.",
    }),
    offerId: t.string({ rule: reference, description: 'ID of an offer without a free trial.' }),
  }),
});

const SubscriptionScheduledChangeRevokeInput = builder.inputType('SubscriptionScheduledChangeRevokeInput', {
  description: 'Parameters for canceling a scheduled plan change.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the subscription.' }) }),
});

/** Cancels a scheduled plan change. Throws `no_change_requested` if no change is scheduled. */
export const scheduledChangeRevoke = operation({
  input: SubscriptionScheduledChangeRevokeInput,
  ...onSubscription,
  command: ({ id }) => ({ kind: 'subscription.revoke_change', subscriptionId: id }),
});

builder.mutationField('subscriptionScheduledChangeRevoke', (t) =>
  t.operation(scheduledChangeRevoke, {
    type: Subscription,
    description: 'Cancels a plan change that is scheduled for the end of the current period.',
    errors: ['subscription_not_found', ['no_change_requested', 'no change is scheduled']],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);
