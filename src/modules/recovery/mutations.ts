import { builder } from '../../graphql/builder.ts';
import { CheckoutCardInput } from '../checkout/mutations.ts';
import { authenticateMethod, authenticateRecovery, payRecovery, updateMethod } from './submit.ts';
import { CardRequest } from './types.ts';

const token = { required: true, description: 'The last part of the address of the page.' } as const;

const cardField = "The card, where the page shows no `publishableKey`: the platform's own processor.";

const paymentMethod = {
  rule: { pattern: /^pm_[A-Za-z0-9_]+$/, maxLength: 200 },
  description:
    'What Stripe gave the page for the card it collected, `pm_…`, where the page shows a `publishableKey`.',
} as const;

const RecoveryPayInput = builder.inputType('RecoveryPayInput', {
  description: 'A payment at the recovery page.',
  fields: (t) => ({
    token: t.string(token),
    card: t.field({
      type: CheckoutCardInput,
      description: `${cardField} It becomes that of the subscription.`,
    }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('recoveryPay', (t) =>
  t.field({
    type: CardRequest,
    description:
      'Pays what keeps a subscription from running. A card that wants authentication waits for it: `authentication`, then `recoveryAuthenticate`. A decline is `charge_failed` with `details.declineCode` and leaves the scheduled retries of a past due subscription as they are. `rate_limited` after ten tries within an hour, `validation_error` for the card, `no_outstanding_invoice` once there is nothing to pay, `already_has_active_subscription`, `plan_unavailable`, `charge_in_progress`.',
    errors: [
      'provider_unsupported',
      'charge_failed',
      'no_outstanding_invoice',
      'already_has_active_subscription',
      'plan_unavailable',
      'charge_in_progress',
    ],
    access: { page: 'recover' },
    args: { input: t.arg({ type: RecoveryPayInput, required: true, description: 'The payment.' }) },
    resolve: (_root, { input: { card, paymentMethod } }, ctx) => payRecovery(ctx, { card, paymentMethod }),
  }),
);

const PaymentMethodStoreInput = builder.inputType('PaymentMethodStoreInput', {
  description: 'Another card for a subscription.',
  fields: (t) => ({
    token: t.string(token),
    card: t.field({ type: CheckoutCardInput, description: cardField }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('paymentMethodStore', (t) =>
  t.field({
    type: CardRequest,
    description:
      'Stores a card in place of the one a subscription is charged by, and charges nothing. A card that wants authentication waits for it: `authentication`, then `paymentMethodAuthenticate`. `charge_failed` with `details.declineCode` when it is declined, `validation_error` for the card, `invalid_subscription_status`, `charge_in_progress`.',
    errors: ['charge_failed', 'invalid_subscription_status', 'charge_in_progress', 'provider_unsupported'],
    access: { page: 'method' },
    args: { input: t.arg({ type: PaymentMethodStoreInput, required: true, description: 'The card.' }) },
    resolve: (_root, { input: { card, paymentMethod } }, ctx) => updateMethod(ctx, { card, paymentMethod }),
  }),
);

const succeed = { required: true, description: 'Whether the customer passed it.' } as const;

const authenticateErrors =
  'Failed, it is a decline: `charge_failed`. `payment_not_found` when none is awaited, `charge_in_progress`.';

const RecoveryAuthenticateInput = builder.inputType('RecoveryAuthenticateInput', {
  description: 'How an authentication at the recovery page ended.',
  fields: (t) => ({ token: t.string(token), succeed: t.boolean(succeed) }),
});

builder.mutationField('recoveryAuthenticate', (t) =>
  t.field({
    type: CardRequest,
    description: `Ends the authentication a payment at the recovery page waits for; passed, it pays. ${authenticateErrors}`,
    errors: ['charge_failed', 'payment_not_found', 'charge_in_progress'],
    access: { page: 'recover' },
    args: { input: t.arg({ type: RecoveryAuthenticateInput, required: true, description: 'How it ended.' }) },
    resolve: (_root, { input }, ctx) => authenticateRecovery(ctx, input.succeed),
  }),
);

const PaymentMethodAuthenticateInput = builder.inputType('PaymentMethodAuthenticateInput', {
  description: 'How an authentication of a card that is to be stored ended.',
  fields: (t) => ({ token: t.string(token), succeed: t.boolean(succeed) }),
});

builder.mutationField('paymentMethodAuthenticate', (t) =>
  t.field({
    type: CardRequest,
    description: `Ends the authentication a card waits for that is to be stored; passed, it takes the place of the one before. ${authenticateErrors}`,
    errors: ['charge_failed', 'payment_not_found', 'charge_in_progress'],
    access: { page: 'method' },
    args: {
      input: t.arg({ type: PaymentMethodAuthenticateInput, required: true, description: 'How it ended.' }),
    },
    resolve: (_root, { input }, ctx) => authenticateMethod(ctx, input.succeed),
  }),
);
