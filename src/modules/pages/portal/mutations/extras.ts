import { amountAboveZero, reference } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { addonActivate, addonDeactivate } from '../../../subscriptions/active-addons/mutations.ts';
import { balanceTopUp, creditsPurchase } from '../../../subscriptions/purchases/mutations.ts';
import { portalAction } from '../derive-action.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';
import { optionalCard, paymentMethod } from './payment.ts';

const purchase =
  'Not available if a payment is outstanding. Requires a stored payment method, or a card in the request.';

const PortalCreditsPurchaseInput = builder.inputType('PortalCreditsPurchaseInput', {
  description: 'Parameters for purchasing a credit pack.',
  fields: (t) => ({
    token: t.string(sessionToken),
    creditPackId: t.id({
      required: true,
      rule: reference,
      description: 'ID of a credit pack from `creditPacks`.',
    }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

export const creditsPurchaseAction = portalAction({
  input: PortalCreditsPurchaseInput,
  setting: 'purchase',
  operation: creditsPurchase,
  as: ({ id }, { creditPackId }) => ({ subscriptionId: id, creditPackId }),
  card: (input) => input,
});

builder.mutationField('portalCreditsPurchase', (t) =>
  t.operation(creditsPurchaseAction, {
    type: PortalSubscription,
    description: `Purchases a credit pack. ${purchase}`,
    errors: [
      'subscription_not_active',
      'no_payment_method',
      ['charge_failed', 'the charge is declined (`details.declineCode`)'],
      'charge_in_progress',
      'missing_regional_price',
      'subscription_not_found',
      'credit_pack_not_found',
    ],
    access: { page: 'portal' },
  }),
);

const PortalBalanceTopUpInput = builder.inputType('PortalBalanceTopUpInput', {
  description: 'Parameters for topping up the balance.',
  fields: (t) => ({
    token: t.string(sessionToken),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountAboveZero,
      description: "Amount in the smallest unit of the subscription's currency. At least 1. Tax is added.",
    }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

export const balanceTopUpAction = portalAction({
  input: PortalBalanceTopUpInput,
  setting: 'purchase',
  operation: balanceTopUp,
  as: ({ id }, { amount }) => ({ subscriptionId: id, amount }),
  card: (input) => input,
});

builder.mutationField('portalBalanceTopUp', (t) =>
  t.operation(balanceTopUpAction, {
    type: PortalSubscription,
    description: `Tops up the balance. The top-up expires when the balance is next reset. ${purchase}`,
    errors: [
      'subscription_not_active',
      'no_payment_method',
      ['charge_failed', 'the charge is declined (`details.declineCode`)'],
      'charge_in_progress',
      'missing_regional_price',
      'subscription_not_found',
    ],
    access: { page: 'portal' },
  }),
);

const PortalAddonActivateInput = builder.inputType('PortalAddonActivateInput', {
  description: 'Parameters for adding an add-on.',
  fields: (t) => ({
    token: t.string(sessionToken),
    addonId: t.id({ required: true, rule: reference, description: 'ID of an add-on from `offeredAddons`.' }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

export const addonActivateAction = portalAction({
  input: PortalAddonActivateInput,
  setting: 'purchase',
  operation: addonActivate,
  as: ({ id }, { addonId }) => ({ subscriptionId: id, addonId }),
  card: (input) => input,
});

builder.mutationField('portalAddonActivate', (t) =>
  t.operation(addonActivateAction, {
    type: PortalSubscription,
    description: `Adds an add-on, and charges the price for the rest of the billing period. Renewals charge the full price. ${purchase}`,
    errors: [
      'subscription_not_active',
      'no_payment_method',
      ['charge_failed', 'the charge is declined (`details.declineCode`)'],
      'charge_in_progress',
      'missing_regional_price',
      'subscription_not_found',
      'addon_not_found',
      'addon_already_active',
      'feature_already_exists',
    ],
    access: { page: 'portal' },
  }),
);

const PortalAddonDeactivateInput = builder.inputType('PortalAddonDeactivateInput', {
  description: 'Parameters for removing an add-on.',
  fields: (t) => ({
    token: t.string(sessionToken),
    addonId: t.id({ required: true, rule: reference, description: 'ID of an add-on from `addons`.' }),
  }),
});

export const addonDeactivateAction = portalAction({
  input: PortalAddonDeactivateInput,
  setting: 'purchase',
  operation: addonDeactivate,
  as: ({ id }, { addonId }) => ({ subscriptionId: id, addonId }),
});

builder.mutationField('portalAddonDeactivate', (t) =>
  t.operation(addonDeactivateAction, {
    type: PortalSubscription,
    description: 'Removes an add-on immediately, without a refund.',
    errors: ['subscription_not_active', 'addon_not_found', 'addon_not_active', 'subscription_not_found'],
    access: { page: 'portal' },
  }),
);
