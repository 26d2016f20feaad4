import { builder } from '../../../graphql/reading/builder.ts';
import { CheckoutCardInput } from '../checkout/mutations.ts';
import { authenticateMethod, authenticateRecovery, payRecovery, updateMethod } from './submit.ts';
import { CardRequest } from './types.ts';

const token = {
  required: true,
  description: "Token from the recovery page's URL (the last path segment).",
} as const;

const methodToken = {
  required: true,
  description: 'Token from the URL of the page for replacing the payment method (the last path segment).',
} as const;

const cardField = 'Details of the new card. Required if the page has no `publishableKey`.';

const paymentMethod = {
  rule: { pattern: /^(?:pm|tok_sandbox)_[A-Za-z0-9_]+$/, maxLength: 200 },
  description:
    'Payment method ID (`pm_…`) that Stripe returned to the page. Required if the page has a `publishableKey`.',
} as const;

const RecoveryPayInput = builder.inputType('RecoveryPayInput', {
  description: 'Parameters for paying on the recovery page.',
  fields: (t) => ({
    token: t.string(token),
    card: t.field({
      type: CheckoutCardInput,
      description: `${cardField} The card becomes the payment method of the subscription.`,
    }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('recoveryPay', (t) =>
  t.field({
    type: CardRequest,
    description:
      "Pays the outstanding invoice of a subscription. If the card requires authentication, the payment is pending until `recoveryAuthenticate` completes the `authentication`. A decline doesn't change the scheduled retries of a past-due subscription. Limited to 10 attempts per hour.",
    errors: [
      'provider_unsupported',
      ['charge_failed', 'the card is declined (`details.declineCode`)'],
      ['no_outstanding_invoice', 'nothing is left to pay'],
      'already_has_active_subscription',
      'plan_unavailable',
      'charge_in_progress',
    ],
    access: { page: 'recover' },
    args: { input: t.arg({ type: RecoveryPayInput, required: true }) },
    resolve: (_root, { input: { card, paymentMethod } }, ctx) => payRecovery(ctx, { card, paymentMethod }),
  }),
);

const PaymentMethodStoreInput = builder.inputType('PaymentMethodStoreInput', {
  description: 'Parameters for replacing the card of a subscription.',
  fields: (t) => ({
    token: t.string(methodToken),
    card: t.field({ type: CheckoutCardInput, description: cardField }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('paymentMethodStore', (t) =>
  t.field({
    type: CardRequest,
    description:
      "Stores a card as a subscription's new payment method. The card isn't charged. If the card requires authentication, the card is stored after `paymentMethodAuthenticate` completes the pending `authentication`.",
    errors: [
      ['charge_failed', 'the card is declined (`details.declineCode`)'],
      'invalid_subscription_status',
      'charge_in_progress',
      'provider_unsupported',
    ],
    access: { page: 'method' },
    args: { input: t.arg({ type: PaymentMethodStoreInput, required: true }) },
    resolve: (_root, { input: { card, paymentMethod } }, ctx) => updateMethod(ctx, { card, paymentMethod }),
  }),
);

const succeed = { required: true, description: 'Whether the customer authenticated successfully.' } as const;

const RecoveryAuthenticateInput = builder.inputType('RecoveryAuthenticateInput', {
  description: 'Parameters for completing an authentication on the recovery page.',
  fields: (t) => ({ token: t.string(token), succeed: t.boolean(succeed) }),
});

builder.mutationField('recoveryAuthenticate', (t) =>
  t.field({
    type: CardRequest,
    description:
      'Completes the pending authentication of a payment on the recovery page. After a successful authentication, the invoice is paid.',
    errors: [
      ['charge_failed', 'the authentication failed'],
      ['payment_not_found', 'no authentication is pending'],
      'charge_in_progress',
    ],
    access: { page: 'recover' },
    args: { input: t.arg({ type: RecoveryAuthenticateInput, required: true }) },
    resolve: (_root, { input }, ctx) => authenticateRecovery(ctx, input.succeed),
  }),
);

const PaymentMethodAuthenticateInput = builder.inputType('PaymentMethodAuthenticateInput', {
  description: 'Parameters for completing the authentication of a new card.',
  fields: (t) => ({ token: t.string(methodToken), succeed: t.boolean(succeed) }),
});

builder.mutationField('paymentMethodAuthenticate', (t) =>
  t.field({
    type: CardRequest,
    description:
      'Completes the pending authentication of a new card. After a successful authentication, the card replaces the current card.',
    errors: [
      ['charge_failed', 'the authentication failed'],
      ['payment_not_found', 'no authentication is pending'],
      'charge_in_progress',
    ],
    access: { page: 'method' },
    args: {
      input: t.arg({ type: PaymentMethodAuthenticateInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => authenticateMethod(ctx, input.succeed),
  }),
);
