import { builder } from '../../graphql/builder.ts';
import { createRecoveryLink } from './create.ts';
import { createMethodLink } from './create-method-link.ts';
import { reactivateSubscription } from './reactivate.ts';
import { PaymentMethodSession, Reactivation, RecoveryLink } from './types.ts';

export const SubscriptionReactivateInput = builder.inputType('SubscriptionReactivateInput', {
  description: 'A subscription that is to run again.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the subscription, past due or canceled.' }),
    offerId: t.string({
      rule: { minLength: 1, maxLength: 200 },
      description: 'An offer without free trial to start again with; canceled subscriptions only.',
    }),
  }),
});

builder.mutationField('subscriptionReactivate', (t) =>
  t.field({
    type: Reactivation,
    description:
      'Collects what a past due subscription owes, a decline using up the next retry, or starts a canceled one again today over a new invoice. A decline is `charge_failed`, no stored method `no_payment_method`; `details.recoveryUrl` is the page where the invoice can still be paid.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/reactivate',
      view: 'ReactivatedSubscription',
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
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionReactivateInput, required: true, description: 'The subscription.' }),
    },
    resolve: (_root, { input }, ctx) => reactivateSubscription(ctx, input),
  }),
);

const SubscriptionRecoveryLinkCreateInput = builder.inputType('SubscriptionRecoveryLinkCreateInput', {
  description: 'A past-due subscription to be paid by its customer.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the subscription.' }) }),
});

builder.mutationField('subscriptionRecoveryLinkCreate', (t) =>
  t.field({
    type: RecoveryLink,
    description:
      'A link to pay what a past due subscription owes, with another card if need be. Valid until that is settled or the subscription leaves `past_due`.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/recovery-links',
      view: 'RecoveryLink',
      errors: ['subscription_not_found', 'invalid_subscription_status', 'no_outstanding_invoice'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: SubscriptionRecoveryLinkCreateInput,
        required: true,
        description: 'The subscription.',
      }),
    },
    resolve: (_root, { input }, ctx) => createRecoveryLink(ctx, input),
  }),
);

const SubscriptionPaymentMethodUpdateInput = builder.inputType('SubscriptionPaymentMethodUpdateInput', {
  description: 'A subscription whose payment method is to be replaced.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the subscription.' }),
    successUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'Where the page sends the customer afterwards.',
    }),
  }),
});

builder.mutationField('subscriptionPaymentMethodUpdate', (t) =>
  t.field({
    type: PaymentMethodSession,
    description:
      'Opens a hosted page where the customer replaces the payment method the subscription is charged by. Nothing is charged there.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/payment-method/update',
      view: 'PaymentMethodUpdateCheckout',
      errors: ['subscription_not_found', 'invalid_subscription_status', 'provider_unsupported'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: SubscriptionPaymentMethodUpdateInput,
        required: true,
        description: 'The subscription.',
      }),
    },
    resolve: (_root, { input }, ctx) => createMethodLink(ctx, input),
  }),
);
