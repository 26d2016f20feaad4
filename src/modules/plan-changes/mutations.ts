import { builder } from '../../graphql/builder.ts';
import { throwIssues } from '../../graphql/rules.ts';
import { reference } from '../../graphql/shapes.ts';
import { RecurringInterval } from '../offers/enums.ts';
import { BillingInterval } from '../plans/enums.ts';
import { Subscription } from '../subscriptions/types/subscription.ts';
import { changeIssues, changePlan } from './change.ts';
import { revokeScheduledChange } from './revoke.ts';
import { PlanChange } from './types.ts';

export const SubscriptionChangePlanInput = builder.inputType('SubscriptionChangePlanInput', {
  description:
    'A move to another plan, another interval, or both: at least one of `newPlanId` and `newBillingInterval`.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the subscription.' }),
    newPlanId: t.string({
      rule: reference,
      description: 'A plan of the same group. Defaults to the current plan.',
    }),
    newBillingInterval: t.field({
      type: RecurringInterval,
      description:
        'The interval. Defaults to the current one where the plan has a price for it, else that of its default price.',
    }),
    successUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'Where a checkout sends the customer afterwards.',
    }),
    offerId: t.string({
      rule: reference,
      description: 'An offer without free trial; only for immediate changes.',
    }),
  }),
});

builder.mutationField('subscriptionChangePlan', (t) =>
  t.field({
    type: PlanChange,
    description:
      'Moves to another plan or interval. A longer interval, or the same with a plan of higher rank, takes effect immediately: the new price is charged less what is left of the old base, and the period starts again. The opposite waits for the end of the period, as does a free plan; from a free plan a checkout is paid first. A decline is `charge_failed` and changes nothing. Asking for the current plan and interval withdraws a change that waits.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/change-plan',
      view: 'PlanChange',
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
        'charge_failed',
        'payment_failed',
        'charge_in_progress',
      ],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: SubscriptionChangePlanInput, required: true, description: 'The change.' }) },
    resolve: (_root, { input }, ctx) => {
      throwIssues(changeIssues(input));
      return changePlan(ctx, input);
    },
  }),
);

export const SubscriptionPreviewChangeInput = builder.inputType('SubscriptionPreviewChangeInput', {
  description: 'A move to preview.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the subscription.' }),
    planId: t.string({
      required: true,
      rule: reference,
      description: 'A plan of the same group, or the current one for another interval.',
    }),
    billingInterval: t.field({
      type: BillingInterval,
      description:
        'The interval. Defaults to the current one where the plan has a price for it, else that of its default price.',
    }),
    offerId: t.string({ rule: reference, description: 'An offer without free trial.' }),
  }),
});

export const SubscriptionScheduledChangeRevokeInput = builder.inputType(
  'SubscriptionScheduledChangeRevokeInput',
  {
    description: 'A change to be withdrawn.',
    fields: (t) => ({ id: t.id({ required: true, description: 'Id of the subscription.' }) }),
  },
);

builder.mutationField('subscriptionScheduledChangeRevoke', (t) =>
  t.field({
    type: Subscription,
    description:
      'Withdraws a change that waits for the end of the period; `no_change_requested` when none does.',
    errors: ['no_change_requested'],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: SubscriptionScheduledChangeRevokeInput,
        required: true,
        description: 'The subscription.',
      }),
    },
    resolve: (_root, { input: { id } }, ctx) => revokeScheduledChange(ctx, id),
  }),
);
