import { reference } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { methodRemove } from '../../../customers/customers/mutations.ts';
import { CheckoutCardInput } from '../../checkout/mutations.ts';
import {
  authenticateShown,
  chooseMethod,
  reread,
  retryPayment,
  shownSubscription,
  storeCard,
} from '../pay.ts';
import { demandOffered, loadPortal } from '../store.ts';
import { Portal } from '../types/portal.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';

export const optionalCard = {
  type: CheckoutCardInput,
  rule: { nullable: true },
  description:
    "Card to charge and to store as the new payment method. Defaults to the stored card. If the card requires authentication, the purchase isn't made. Complete `portalCardAuthenticate`, then retry without `card`.",
} as const;

export const paymentMethod = {
  rule: { pattern: /^pm_[A-Za-z0-9_]+$/, maxLength: 200, nullable: true },
  description:
    'ID of the payment method (`pm_…`) that Stripe returned to the page. Use instead of `card`. Required for a new card if the subscription has a `publishableKey`.',
} as const;

export const PortalPaymentRetryInput = builder.inputType('PortalPaymentRetryInput', {
  description: 'Parameters for paying the outstanding amount.',
  fields: (t) => ({
    token: t.string(sessionToken),
    card: t.field({
      ...optionalCard,
      description:
        'Card to charge. Stored as the new payment method if the payment succeeds. Defaults to the stored card.',
    }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalPaymentRetry', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      "Charges the outstanding amount of a past-due subscription. A decline doesn't change the scheduled retries. Limited to 3 attempts per day, and to 10 attempts per hour including attempts on the recovery page. Fails with `validation_error` if the card is invalid.",
    errors: [
      ['charge_failed', 'the charge is declined'],
      ['invalid_subscription_status', 'there is no outstanding amount'],
      'no_payment_method',
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalPaymentRetryInput, required: true }) },
    resolve: (_root, { input: { card, paymentMethod } }, ctx) => retryPayment(ctx, { card, paymentMethod }),
  }),
);

const PortalCardAuthenticateInput = builder.inputType('PortalCardAuthenticateInput', {
  description: 'Parameters for completing the authentication of a card.',
  fields: (t) => ({
    token: t.string(sessionToken),
    succeed: t.boolean({ required: true, description: 'Whether the customer authenticated successfully.' }),
  }),
});

builder.mutationField('portalCardAuthenticate', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Completes the pending `authentication` of a card entered in the portal. After a successful authentication, the card is stored, or the outstanding amount is charged.',
    errors: [
      ['charge_failed', 'the authentication failed'],
      ['payment_not_found', 'no authentication is pending'],
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalCardAuthenticateInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => authenticateShown(ctx, input.succeed),
  }),
);

const PortalPaymentMethodStoreInput = builder.inputType('PortalPaymentMethodStoreInput', {
  description: 'Parameters for replacing the card of the subscription.',
  fields: (t) => ({
    token: t.string(sessionToken),
    card: t.field({
      type: CheckoutCardInput,
      rule: { nullable: true },
      description: 'Details of the new card. Omit this field if Stripe collected the card.',
    }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalPaymentMethodStore', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      "Stores a card as the subscription's new payment method. The card isn't charged. Pay an outstanding amount with `portalPaymentRetry`. If the card requires authentication, the card is stored after `portalCardAuthenticate` completes the pending `authentication`. Fails with `validation_error` if the card is invalid.",
    errors: [
      ['charge_failed', 'the card is declined'],
      'invalid_subscription_status',
      'charge_in_progress',
      'provider_unsupported',
    ],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalPaymentMethodStoreInput, required: true }) },
    resolve: async (_root, { input: { card, paymentMethod } }, ctx) => {
      await demandOffered(ctx, 'updatePaymentMethod');
      const subscription = await shownSubscription(ctx);
      await storeCard(ctx, subscription, { card, paymentMethod });
      return reread(ctx, subscription.id);
    },
  }),
);

const PortalPaymentMethodDefaultSetInput = builder.inputType('PortalPaymentMethodDefaultSetInput', {
  description: "Parameters for changing the subscription's payment method.",
  fields: (t) => ({
    token: t.string(sessionToken),
    paymentMethodId: t.id({
      required: true,
      rule: reference,
      description: 'ID of a card from `paymentMethods`.',
    }),
  }),
});

builder.mutationField('portalPaymentMethodDefaultSet', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      "Makes a different stored card the subscription's payment method for future charges. The card isn't charged now.",
    errors: [
      'payment_method_not_found',
      'subscription_not_found',
      'invalid_subscription_status',
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalPaymentMethodDefaultSetInput, required: true }),
    },
    resolve: async (_root, { input: { paymentMethodId } }, ctx) => {
      await demandOffered(ctx, 'updatePaymentMethod');
      return chooseMethod(ctx, paymentMethodId);
    },
  }),
);

const PortalPaymentMethodRemoveInput = builder.inputType('PortalPaymentMethodRemoveInput', {
  description: 'Parameters for removing a stored card.',
  fields: (t) => ({
    token: t.string(sessionToken),
    paymentMethodId: t.id({
      required: true,
      rule: reference,
      description: 'ID of a card from `paymentMethods`.',
    }),
  }),
});

builder.mutationField('portalPaymentMethodRemove', (t) =>
  t.field({
    type: Portal,
    description:
      'Removes a stored card. The card can no longer be charged. Past payments with the card can still be refunded.',
    errors: [
      'payment_method_not_found',
      ['payment_method_in_use', "a subscription that isn't canceled uses the card"],
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalPaymentMethodRemoveInput, required: true }),
    },
    resolve: async (_root, { input: { paymentMethodId } }, ctx) => {
      await demandOffered(ctx, 'updatePaymentMethod');
      const { customer } = await loadPortal(ctx);
      await methodRemove.execute(ctx, { customerId: customer.id, paymentMethodId });
      return loadPortal(ctx);
    },
  }),
);
