import { builder } from '../../../graphql/builder.ts';
import { cancelSubscription } from '../../subscriptions/cancel.ts';
import { uncancelSubscription } from '../../subscriptions/uncancel.ts';
import { reactivateShown } from '../pay.ts';
import { demandOffered, requireShownSubscription } from '../store.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';

export const PortalSubscriptionCancelInput = builder.inputType('PortalSubscriptionCancelInput', {
  description: 'A cancellation by the customer.',
  fields: (t) => ({
    token: t.string(sessionToken),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Why, up to 1000 characters; the seller sees it.',
    }),
  }),
});

builder.mutationField('portalSubscriptionCancel', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Cancels the subscription of the portal: with its period, or immediately where `cancelsAtOnce` says so. `subscription_not_found`, `subscription_already_canceled`, `already_scheduled`, `one_time_subscription_not_cancelable`, `charge_in_progress`.',
    errors: [
      'subscription_not_found',
      'subscription_already_canceled',
      'already_scheduled',
      'one_time_subscription_not_cancelable',
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalSubscriptionCancelInput, required: true, description: 'The cancellation.' }),
    },
    resolve: async (_root, { input: { reason } }, ctx) => {
      await demandOffered(ctx, 'cancel');
      return cancelSubscription(ctx, { id: await requireShownSubscription(ctx), reason });
    },
  }),
);

export const PortalSubscriptionUncancelInput = builder.inputType('PortalSubscriptionUncancelInput', {
  description: 'A cancellation the customer undoes.',
  fields: (t) => ({ token: t.string(sessionToken) }),
});

builder.mutationField('portalSubscriptionUncancel', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Undoes the scheduled cancellation of the subscription of the portal. `subscription_not_found`, `not_scheduled_for_cancellation`, `subscription_already_canceled`.',
    errors: ['subscription_not_found', 'not_scheduled_for_cancellation', 'subscription_already_canceled'],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalSubscriptionUncancelInput, required: true, description: 'The session.' }),
    },
    resolve: async (_root, _args, ctx) =>
      uncancelSubscription(ctx, { id: await requireShownSubscription(ctx) }),
  }),
);

export const PortalSubscriptionReactivateInput = builder.inputType('PortalSubscriptionReactivateInput', {
  description: 'A customer who comes back.',
  fields: (t) => ({ token: t.string(sessionToken) }),
});

builder.mutationField('portalSubscriptionReactivate', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Starts a canceled subscription again by the stored card. `charge_failed` and `no_payment_method` come with `details.recoveryUrl`, where another card pays; `plan_unavailable` when the plan is hidden or gone, `invalid_subscription_status`, `already_has_active_subscription`, `subscription_has_open_dispute`, `charge_in_progress`.',
    errors: [
      'charge_failed',
      'no_payment_method',
      'plan_unavailable',
      'invalid_subscription_status',
      'already_has_active_subscription',
      'subscription_has_open_dispute',
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalSubscriptionReactivateInput, required: true, description: 'The session.' }),
    },
    resolve: async (_root, _args, ctx) => {
      await demandOffered(ctx, 'reactivate');
      return reactivateShown(ctx);
    },
  }),
);
