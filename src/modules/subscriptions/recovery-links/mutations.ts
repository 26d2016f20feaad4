import { operation } from '../../../engine/operation.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { onSubscription } from '../subscriptions/store.ts';
import { createRecoveryLink } from './create.ts';
import { createMethodLink } from './create-method-link.ts';
import { reactivationResult, withRecoveryUrl } from './reactivate.ts';
import { PaymentMethodSession, Reactivation, RecoveryLink } from './types.ts';

const SubscriptionReactivateInput = builder.inputType('SubscriptionReactivateInput', {
  description: 'Parameters for reactivating a subscription.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the past-due or canceled subscription.' }),
    offerId: t.string({
      rule: { minLength: 1, maxLength: 200 },
      description: 'ID of an offer without a free trial. Allowed for canceled subscriptions only.',
    }),
  }),
});

/**
 * Collects the outstanding invoice of a past-due subscription, or reactivates a canceled subscription (SUB-30 to
 * SUB-34). Throws `charge_failed` and `no_payment_method` with `details.recoveryUrl` if the invoice can still be paid.
 * The failed attempt is recorded (SUB-32). Other errors change nothing.
 */
export const subscriptionReactivate = operation({
  input: SubscriptionReactivateInput,
  find: onSubscription.find,
  command: ({ id, offerId }) => ({
    kind: 'subscription.reactivate',
    subscriptionId: id,
    offerId: offerId ?? null,
  }),
  explain: withRecoveryUrl,
  result: reactivationResult,
});

builder.mutationField('subscriptionReactivate', (t) =>
  t.operation(subscriptionReactivate, {
    type: Reactivation,
    description:
      'Reactivates a subscription. For a past-due subscription, charges the outstanding invoice. A declined charge uses up the next payment retry. A canceled subscription restarts today with a new invoice. If the request fails with `charge_failed` or `no_payment_method`, `details.recoveryUrl` is the URL of the page where the invoice can still be paid.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/reactivate',
      view: 'ReactivatedSubscription',
    },
    errors: [
      'subscription_not_found',
      'invalid_subscription_status',
      'offer_not_found',
      'offer_not_applicable',
      'missing_regional_price',
      'charge_failed',
      'payment_failed',
      'already_has_active_subscription',
      'no_outstanding_invoice',
      'no_payment_method',
      'charge_in_progress',
      'subscription_has_open_dispute',
      'plan_unavailable',
      'subscription_activation_failed',
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SubscriptionRecoveryLinkCreateInput = builder.inputType('SubscriptionRecoveryLinkCreateInput', {
  description: 'Parameters for creating a recovery link for a past-due subscription.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the subscription.' }) }),
});

builder.mutationField('subscriptionRecoveryLinkCreate', (t) =>
  t.field({
    type: RecoveryLink,
    description:
      'Creates a link for paying the outstanding invoice of a past-due subscription, optionally with another card. The link is valid until the invoice is settled or the subscription leaves `past_due`.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/recovery-links',
      view: 'RecoveryLink',
    },
    errors: ['subscription_not_found', 'invalid_subscription_status', 'no_outstanding_invoice'],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: SubscriptionRecoveryLinkCreateInput,
        required: true,
      }),
    },
    resolve: (_root, { input }, ctx) => createRecoveryLink(ctx, input),
  }),
);

const SubscriptionPaymentMethodUpdateInput = builder.inputType('SubscriptionPaymentMethodUpdateInput', {
  description: 'Parameters for replacing the payment method of a subscription.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the subscription.' }),
    successUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'URL to which the page redirects the customer after the card is replaced.',
    }),
  }),
});

builder.mutationField('subscriptionPaymentMethodUpdate', (t) =>
  t.field({
    type: PaymentMethodSession,
    description:
      "Creates a link to a hosted page on which the customer replaces the payment method of the subscription. The page doesn't charge the card.",
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/payment-method/update',
      view: 'PaymentMethodUpdateCheckout',
    },
    errors: ['subscription_not_found', 'invalid_subscription_status', 'provider_unsupported'],
    movesMoney: true,
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: SubscriptionPaymentMethodUpdateInput,
        required: true,
      }),
    },
    resolve: (_root, { input }, ctx) => createMethodLink(ctx, input),
  }),
);
