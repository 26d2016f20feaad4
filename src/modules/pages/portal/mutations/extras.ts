import { amountAboveZero, reference } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { buyBalance, buyCredits, switchAddonOff, switchAddonOn } from '../purchase.ts';
import { demandOffered } from '../store.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';
import { optionalCard, paymentMethod } from './payment.ts';

const purchase =
  'Not available if a payment is outstanding. Requires a stored payment method, or a card in the request.';

export const PortalCreditsPurchaseInput = builder.inputType('PortalCreditsPurchaseInput', {
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

builder.mutationField('portalCreditsPurchase', (t) =>
  t.field({
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
    args: {
      input: t.arg({ type: PortalCreditsPurchaseInput, required: true }),
    },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'purchase');
      return buyCredits(ctx, input);
    },
  }),
);

export const PortalBalanceTopUpInput = builder.inputType('PortalBalanceTopUpInput', {
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

builder.mutationField('portalBalanceTopUp', (t) =>
  t.field({
    type: PortalSubscription,
    description: `Tops up the balance. The top-up expires at the next reset of the balance. ${purchase}`,
    errors: [
      'subscription_not_active',
      'no_payment_method',
      ['charge_failed', 'the charge is declined (`details.declineCode`)'],
      'charge_in_progress',
      'missing_regional_price',
      'subscription_not_found',
    ],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalBalanceTopUpInput, required: true }) },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'purchase');
      return buyBalance(ctx, input);
    },
  }),
);

export const PortalAddonActivateInput = builder.inputType('PortalAddonActivateInput', {
  description: 'Parameters for adding an add-on.',
  fields: (t) => ({
    token: t.string(sessionToken),
    addonId: t.id({ required: true, rule: reference, description: 'ID of an add-on from `offeredAddons`.' }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalAddonActivate', (t) =>
  t.field({
    type: PortalSubscription,
    description: `Adds an add-on for the rest of the billing period. ${purchase}`,
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
    args: { input: t.arg({ type: PortalAddonActivateInput, required: true }) },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'purchase');
      return switchAddonOn(ctx, input);
    },
  }),
);

export const PortalAddonDeactivateInput = builder.inputType('PortalAddonDeactivateInput', {
  description: 'Parameters for removing an add-on.',
  fields: (t) => ({
    token: t.string(sessionToken),
    addonId: t.id({ required: true, rule: reference, description: 'ID of an add-on from `addons`.' }),
  }),
});

builder.mutationField('portalAddonDeactivate', (t) =>
  t.field({
    type: PortalSubscription,
    description: 'Removes an add-on immediately, without a refund.',
    errors: ['subscription_not_active', 'addon_not_found', 'addon_not_active', 'subscription_not_found'],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalAddonDeactivateInput, required: true }) },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'purchase');
      return switchAddonOff(ctx, input);
    },
  }),
);
