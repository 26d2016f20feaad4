import { builder } from '../../../../graphql/reading/builder.ts';
import { cancelSubscription } from '../../../subscriptions/subscriptions/cancel.ts';
import { uncancelSubscription } from '../../../subscriptions/subscriptions/uncancel.ts';
import { reactivateShown } from '../pay.ts';
import { demandOffered, requireShownSubscription } from '../store.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';

export const PortalSubscriptionCancelInput = builder.inputType('PortalSubscriptionCancelInput', {
  description: 'Parameters for canceling the subscription.',
  fields: (t) => ({
    token: t.string(sessionToken),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Cancellation reason, visible to the organization. Up to 1,000 characters.',
    }),
  }),
});

builder.mutationField('portalSubscriptionCancel', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Cancels the subscription of the portal at the end of the current period, or immediately if `cancelsImmediately` is `true`.',
    errors: [
      'subscription_not_found',
      'subscription_already_canceled',
      'already_scheduled',
      'one_time_subscription_not_cancelable',
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalSubscriptionCancelInput, required: true }),
    },
    resolve: async (_root, { input: { reason } }, ctx) => {
      await demandOffered(ctx, 'cancel');
      return cancelSubscription(ctx, { id: await requireShownSubscription(ctx), reason });
    },
  }),
);

export const PortalSubscriptionUncancelInput = builder.inputType('PortalSubscriptionUncancelInput', {
  description: 'Parameters for revoking a scheduled cancellation.',
  fields: (t) => ({ token: t.string(sessionToken) }),
});

builder.mutationField('portalSubscriptionUncancel', (t) =>
  t.field({
    type: PortalSubscription,
    description: "Revokes the scheduled cancellation of the portal's subscription.",
    errors: ['subscription_not_found', 'not_scheduled_for_cancellation', 'subscription_already_canceled'],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalSubscriptionUncancelInput, required: true }),
    },
    resolve: async (_root, _args, ctx) =>
      uncancelSubscription(ctx, { id: await requireShownSubscription(ctx) }),
  }),
);

export const PortalSubscriptionReactivateInput = builder.inputType('PortalSubscriptionReactivateInput', {
  description: 'Parameters for reactivating the subscription.',
  fields: (t) => ({ token: t.string(sessionToken) }),
});

builder.mutationField('portalSubscriptionReactivate', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Reactivates a canceled subscription with the stored card. If the request fails with `charge_failed` or `no_payment_method`, `details.recoveryUrl` is the URL of the page where the customer can pay with another card.',
    errors: [
      'charge_failed',
      'no_payment_method',
      ['plan_unavailable', 'the plan is hidden or was deleted'],
      'invalid_subscription_status',
      'already_has_active_subscription',
      'subscription_has_open_dispute',
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalSubscriptionReactivateInput, required: true }),
    },
    resolve: async (_root, _args, ctx) => {
      await demandOffered(ctx, 'reactivate');
      return reactivateShown(ctx);
    },
  }),
);
