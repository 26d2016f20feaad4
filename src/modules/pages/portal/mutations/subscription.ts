import { subscriptionReactivate } from '../../../subscriptions/recovery-links/mutations.ts';
import { subscriptionCancel, subscriptionUncancel } from '../../../subscriptions/subscriptions/mutations.ts';
import { requireRestartable } from '../pay.ts';
import { inputField, portalMutation } from './declare.ts';

export const cancelAction = portalMutation('portalSubscriptionCancel', {
  parameters: 'Parameters for canceling the subscription.',
  fields: {
    reason: inputField.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Cancellation reason, visible to the organization. Up to 1,000 characters.',
    }),
  },
  setting: 'cancel',
  operation: subscriptionCancel,
  as: ({ id }, { reason }) => ({ id, reason }),
  description:
    "Cancels the portal's subscription at the end of the current period, or immediately if `cancelsImmediately` is `true`.",
  errors: [
    'subscription_not_found',
    'subscription_already_canceled',
    'already_scheduled',
    'one_time_subscription_not_cancelable',
    'charge_in_progress',
  ],
});

export const uncancelAction = portalMutation('portalSubscriptionUncancel', {
  parameters: 'Parameters for revoking a scheduled cancellation.',
  fields: {},
  operation: subscriptionUncancel,
  as: ({ id }) => ({ id }),
  description: "Revokes the scheduled cancellation of the portal's subscription.",
  errors: ['subscription_not_found', 'not_scheduled_for_cancellation', 'subscription_already_canceled'],
});

export const reactivateAction = portalMutation('portalSubscriptionReactivate', {
  parameters: 'Parameters for reactivating the subscription.',
  fields: {},
  setting: 'reactivate',
  operation: subscriptionReactivate,
  as: ({ id }) => ({ id }),
  check: requireRestartable,
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
});
