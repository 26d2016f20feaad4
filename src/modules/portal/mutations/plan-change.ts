import { builder } from '../../../graphql/builder.ts';
import { reference } from '../../../graphql/shapes.ts';
import { RecurringInterval } from '../../offers/enums.ts';
import { changeShown, revokeShownChange } from '../change-plan.ts';
import { demandOffered } from '../store.ts';
import { PortalPlanChange } from '../types/plan-change.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';

export const PortalPlanChangeInput = builder.inputType('PortalPlanChangeInput', {
  description: 'Where a customer wants to move.',
  fields: (t) => ({
    token: t.string(sessionToken),
    planId: t.id({ required: true, rule: reference, description: 'One of `planOptions`.' }),
    billingInterval: t.field({
      type: RecurringInterval,
      rule: { nullable: true },
      description: 'Its interval; absent or null on free and one-time plans.',
    }),
  }),
});

builder.mutationField('portalPlanChange', (t) =>
  t.field({
    type: PortalPlanChange,
    description:
      'Moves the subscription to a public plan of its group, or to another interval, as `subscriptionChangePlan` does. `plan_unavailable` for a hidden plan, `charge_failed` with `details.declineCode`, after which nothing has changed, `no_payment_method`, `plans_not_in_same_group`, `no_change_requested`, `already_scheduled`, `seat_limit_exceeded`, `subscription_not_active`, `subscription_has_open_dispute`, `charge_in_progress`.',
    errors: [
      'plan_unavailable',
      'charge_failed',
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
    args: { input: t.arg({ type: PortalPlanChangeInput, required: true, description: 'The change.' }) },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'changePlan');
      return changeShown(ctx, input);
    },
  }),
);

export const PortalScheduledChangeRevokeInput = builder.inputType('PortalScheduledChangeRevokeInput', {
  description: 'A change the customer takes back.',
  fields: (t) => ({ token: t.string(sessionToken) }),
});

builder.mutationField('portalScheduledChangeRevoke', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Withdraws the change that waits for the end of the period; `no_change_requested` when none does.',
    errors: ['no_change_requested'],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalScheduledChangeRevokeInput, required: true, description: 'The session.' }),
    },
    resolve: (_root, _args, ctx) => revokeShownChange(ctx),
  }),
);
