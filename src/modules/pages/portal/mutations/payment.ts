import { reference } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { methodRemove } from '../../../customers/customers/mutations.ts';
import { revokeOwnMandate } from '../../../payments/mandates/mutations.ts';
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
import { PortalSubscription } from '../types/subscription.ts';
import { inputField, optionalCard, paymentMethod, portalInput } from './declare.ts';

export const PortalPaymentRetryInput = portalInput(
  'PortalPaymentRetryInput',
  'Parameters for paying the outstanding amount.',
  {
    card: inputField.field({
      ...optionalCard,
      description:
        'Card to charge. Stored as the new payment method if the payment succeeds. Defaults to the stored card.',
    }),
    paymentMethod: inputField.string(paymentMethod),
  },
);

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

const PortalCardAuthenticateInput = portalInput(
  'PortalCardAuthenticateInput',
  'Parameters for completing the authentication of a card.',
  {
    succeed: inputField.boolean({
      required: true,
      description: 'Whether the customer authenticated successfully.',
    }),
  },
);

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

const PortalPaymentMethodStoreInput = portalInput(
  'PortalPaymentMethodStoreInput',
  'Parameters for replacing the card of the subscription.',
  {
    card: inputField.field({
      type: CheckoutCardInput,
      rule: { nullable: true },
      description: 'Details of the new card. Omit this field if Stripe collected the card.',
    }),
    paymentMethod: inputField.string(paymentMethod),
  },
);

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

const PortalPaymentMethodDefaultSetInput = portalInput(
  'PortalPaymentMethodDefaultSetInput',
  "Parameters for changing the subscription's payment method.",
  {
    paymentMethodId: inputField.id({
      required: true,
      rule: reference,
      description: 'ID of a card from `paymentMethods`.',
    }),
  },
);

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

const PortalPaymentMethodRemoveInput = portalInput(
  'PortalPaymentMethodRemoveInput',
  'Parameters for removing a stored card.',
  {
    paymentMethodId: inputField.id({
      required: true,
      rule: reference,
      description: 'ID of a card from `paymentMethods`.',
    }),
  },
);

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

const PortalMandateRevokeInput = portalInput(
  'PortalMandateRevokeInput',
  'Parameters for revoking a mandate.',
  {
    mandateId: inputField.id({
      required: true,
      rule: reference,
      description: 'ID of a mandate from `paymentMethods`.',
    }),
  },
);

builder.mutationField('portalMandateRevoke', (t) =>
  t.field({
    type: Portal,
    description:
      'Ends a mandate of the customer, so that its bank account can no longer be debited. Scheduled debits are canceled. Debits that are processing continue. Always offered, because customers can revoke mandates at any time.',
    errors: [['not_found', "the customer doesn't have the mandate"]],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalMandateRevokeInput, required: true }) },
    resolve: async (_root, { input: { mandateId } }, ctx) => {
      const { customer } = await loadPortal(ctx);
      await revokeOwnMandate(ctx, customer.id, mandateId);
      return loadPortal(ctx);
    },
  }),
);
