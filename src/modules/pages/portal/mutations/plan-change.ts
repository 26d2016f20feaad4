import { reference } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { RecurringInterval } from '../../../catalog/offers/enums.ts';
import { planChange, scheduledChangeRevoke } from '../../../subscriptions/plan-changes/mutations.ts';
import { changeOf, requireShownPlan } from '../change-plan.ts';
import { portalAction } from '../derive-action.ts';
import { PortalPlanChange } from '../types/plan-change.ts';
import { inputField, portalInput, portalMutation } from './declare.ts';

const PortalPlanChangeInput = portalInput(
  'PortalPlanChangeInput',
  'Parameters for changing the plan or interval.',
  {
    planId: inputField.id({
      required: true,
      rule: reference,
      description: 'ID of a plan from `planOptions`.',
    }),
    billingInterval: inputField.field({
      type: RecurringInterval,
      rule: { nullable: true },
      description: 'Billing interval of the new plan. Omit this field for free plans and one-time plans.',
    }),
  },
);

export const planChangeAction = portalAction({
  input: PortalPlanChangeInput,
  setting: 'changePlan',
  operation: planChange,
  as: ({ id }, { planId, billingInterval }) => ({
    id,
    newPlanId: planId,
    newBillingInterval: billingInterval,
  }),
  check: requireShownPlan,
});

builder.mutationField('portalPlanChange', (t) =>
  t.field({
    type: PortalPlanChange,
    description:
      "Changes the subscription's plan to a public plan in the same plan group, or changes the billing interval. Works like `subscriptionChangePlan`.",
    errors: [
      ['plan_unavailable', 'the plan is hidden'],
      [
        'charge_failed',
        "the charge is declined (`details.declineCode`), in which case the subscription doesn't change",
      ],
      'no_payment_method',
      'plans_not_in_same_group',
      'no_change_requested',
      'already_scheduled',
      'seat_limit_exceeded',
      'subscription_not_active',
      'subscription_has_open_dispute',
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalPlanChangeInput, required: true }) },
    resolve: async (_root, { input }, ctx) => changeOf(await planChangeAction.perform(ctx, input)),
  }),
);

export const scheduledChangeRevokeAction = portalMutation('portalScheduledChangeRevoke', {
  parameters: 'Parameters for canceling a scheduled change.',
  fields: {},
  operation: scheduledChangeRevoke,
  as: ({ id }) => ({ id }),
  description: 'Cancels the change that is scheduled for the end of the period.',
  errors: [['no_change_requested', 'no change is scheduled']],
});
