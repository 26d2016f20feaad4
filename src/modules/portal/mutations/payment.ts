import { builder } from '../../../graphql/builder.ts';
import { reference } from '../../../graphql/shapes.ts';
import { CheckoutCardInput } from '../../checkout/mutations.ts';
import { removeMethod } from '../../customers/delete-method.ts';
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
    'A card that is stored in place of the present one, then charged; the stored one when absent or null. Where it wants authentication nothing is bought: buy again, without a card, once `portalCardAuthenticate` has stored it.',
} as const;

export const paymentMethod = {
  rule: { pattern: /^pm_[A-Za-z0-9_]+$/, maxLength: 200, nullable: true },
  description:
    'In place of `card`, what Stripe gave the page for one, `pm_…`, where the subscription shows a `publishableKey`.',
} as const;

export const PortalPaymentRetryInput = builder.inputType('PortalPaymentRetryInput', {
  description: 'A try to pay what is owed.',
  fields: (t) => ({
    token: t.string(sessionToken),
    card: t.field({
      ...optionalCard,
      description: 'Another card, which is kept once it has paid; the stored one when absent or null.',
    }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalPaymentRetry', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Tries to collect what a past-due subscription owes. A decline is `charge_failed` and leaves the scheduled retries as they are. `rate_limited` after three tries on one day, or ten within an hour together with those at the recovery page; `invalid_subscription_status` when nothing is owed, `no_payment_method`, `validation_error` for the card, `charge_in_progress`.',
    errors: ['charge_failed', 'invalid_subscription_status', 'no_payment_method', 'charge_in_progress'],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalPaymentRetryInput, required: true, description: 'The try.' }) },
    resolve: (_root, { input: { card, paymentMethod } }, ctx) => retryPayment(ctx, { card, paymentMethod }),
  }),
);

const PortalCardAuthenticateInput = builder.inputType('PortalCardAuthenticateInput', {
  description: 'How an authentication of a card typed in in the portal ended.',
  fields: (t) => ({
    token: t.string(sessionToken),
    succeed: t.boolean({ required: true, description: 'Whether the customer passed it.' }),
  }),
});

builder.mutationField('portalCardAuthenticate', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Ends the authentication a card waits for that was typed in in the portal, as `authentication` of the subscription shows it: passed, it pays what is owed or is stored. Failed, it is a decline: `charge_failed`. `payment_not_found` when none is awaited, `charge_in_progress`.',
    errors: ['charge_failed', 'payment_not_found', 'charge_in_progress'],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalCardAuthenticateInput, required: true, description: 'How it ended.' }),
    },
    resolve: (_root, { input }, ctx) => authenticateShown(ctx, input.succeed),
  }),
);

const PortalPaymentMethodStoreInput = builder.inputType('PortalPaymentMethodStoreInput', {
  description: 'Another card for the subscription.',
  fields: (t) => ({
    token: t.string(sessionToken),
    card: t.field({
      type: CheckoutCardInput,
      rule: { nullable: true },
      description: 'The card, unless Stripe collected it.',
    }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalPaymentMethodStore', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Stores a card in place of the one the subscription is charged by, and charges nothing; what is owed is then paid by `portalPaymentRetry`. One that wants authentication waits for it: `authentication`, then `portalCardAuthenticate`. `charge_failed` when it is declined, `validation_error` for the card, `invalid_subscription_status`, `charge_in_progress`.',
    errors: ['charge_failed', 'invalid_subscription_status', 'charge_in_progress', 'provider_unsupported'],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalPaymentMethodStoreInput, required: true, description: 'The card.' }) },
    resolve: async (_root, { input: { card, paymentMethod } }, ctx) => {
      await demandOffered(ctx, 'updatePaymentMethod');
      const subscription = await shownSubscription(ctx);
      await storeCard(ctx, subscription, { card, paymentMethod });
      return reread(ctx, subscription.id);
    },
  }),
);

const PortalPaymentMethodDefaultSetInput = builder.inputType('PortalPaymentMethodDefaultSetInput', {
  description: 'The card to charge from now on.',
  fields: (t) => ({
    token: t.string(sessionToken),
    paymentMethodId: t.id({ required: true, rule: reference, description: 'One of `paymentMethods`.' }),
  }),
});

builder.mutationField('portalPaymentMethodDefaultSet', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Charges the subscription from now on to another card the customer has stored; nothing is charged. `payment_method_not_found`, `subscription_not_found`, `invalid_subscription_status`, `charge_in_progress`.',
    errors: [
      'payment_method_not_found',
      'subscription_not_found',
      'invalid_subscription_status',
      'charge_in_progress',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalPaymentMethodDefaultSetInput, required: true, description: 'The card.' }),
    },
    resolve: async (_root, { input: { paymentMethodId } }, ctx) => {
      await demandOffered(ctx, 'updatePaymentMethod');
      return chooseMethod(ctx, paymentMethodId);
    },
  }),
);

const PortalPaymentMethodRemoveInput = builder.inputType('PortalPaymentMethodRemoveInput', {
  description: 'The card to remove.',
  fields: (t) => ({
    token: t.string(sessionToken),
    paymentMethodId: t.id({ required: true, rule: reference, description: 'One of `paymentMethods`.' }),
  }),
});

builder.mutationField('portalPaymentMethodRemove', (t) =>
  t.field({
    type: Portal,
    description:
      'Removes a stored card, which is charged nothing any more; what it paid can be refunded still. `payment_method_in_use` while a subscription that is not over is charged to it: choose another one first. `payment_method_not_found`, `charge_in_progress`.',
    errors: ['payment_method_not_found', 'payment_method_in_use', 'charge_in_progress'],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalPaymentMethodRemoveInput, required: true, description: 'The card.' }),
    },
    resolve: async (_root, { input: { paymentMethodId } }, ctx) => {
      await demandOffered(ctx, 'updatePaymentMethod');
      const { customer } = await loadPortal(ctx);
      await removeMethod(ctx, { customerId: customer.id, paymentMethodId });
      return loadPortal(ctx);
    },
  }),
);
