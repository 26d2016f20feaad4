import { builder } from '../../../../graphql/reading/builder.ts';
import { subscriptionReactivate } from '../../../subscriptions/recovery-links/mutations.ts';
import { subscriptionCancel, subscriptionUncancel } from '../../../subscriptions/subscriptions/mutations.ts';
import { portalAction } from '../derive-action.ts';
import { requireRestartable } from '../pay.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';

const PortalSubscriptionCancelInput = builder.inputType('PortalSubscriptionCancelInput', {
  description: 'Parameters for canceling the subscription.',
  fields: (t) => ({
    token: t.string(sessionToken),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Cancellation reason, visible to the organization. Up to 1,000 characters.',
    }),
  }),
});

export const cancelAction = portalAction({
  input: PortalSubscriptionCancelInput,
  setting: 'cancel',
  operation: subscriptionCancel,
  as: ({ id }, { reason }) => ({ id, reason }),
});

builder.mutationField('portalSubscriptionCancel', (t) =>
  t.operation(cancelAction, {
    type: PortalSubscription,
    description:
      "Cancels the portal's subscription at the end of the current period, or immediately if `cancelsImmediately` is `true`.",
    errors: [
      'subscription_not_found',
      'subscription_already_canceled',
      'already_scheduled',
      'one_time_subscription_not_cancelable',
      'charge_in_progress',
    ],
    access: { page: 'portal' },
  }),
);

const PortalSubscriptionUncancelInput = builder.inputType('PortalSubscriptionUncancelInput', {
  description: 'Parameters for revoking a scheduled cancellation.',
  fields: (t) => ({ token: t.string(sessionToken) }),
});

export const uncancelAction = portalAction({
  input: PortalSubscriptionUncancelInput,
  operation: subscriptionUncancel,
  as: ({ id }) => ({ id }),
});

builder.mutationField('portalSubscriptionUncancel', (t) =>
  t.operation(uncancelAction, {
    type: PortalSubscription,
    description: "Revokes the scheduled cancellation of the portal's subscription.",
    errors: ['subscription_not_found', 'not_scheduled_for_cancellation', 'subscription_already_canceled'],
    access: { page: 'portal' },
  }),
);

const PortalSubscriptionReactivateInput = builder.inputType('PortalSubscriptionReactivateInput', {
  description: 'Parameters for reactivating the subscription.',
  fields: (t) => ({ token: t.string(sessionToken) }),
});

export const reactivateAction = portalAction({
  input: PortalSubscriptionReactivateInput,
  setting: 'reactivate',
  operation: subscriptionReactivate,
  as: ({ id }) => ({ id }),
  check: requireRestartable,
});

builder.mutationField('portalSubscriptionReactivate', (t) =>
  t.operation(reactivateAction, {
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
  }),
);
