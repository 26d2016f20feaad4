import { builder } from '../../../graphql/builder.ts';
import { reference } from '../../../graphql/shapes.ts';
import { buyBalance, buyCredits, switchAddonOff, switchAddonOn } from '../purchase.ts';
import { demandOffered } from '../store.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';
import { optionalCard, paymentMethod } from './payment.ts';

const purchase =
  'Not while a payment is owed: `subscription_not_active`. `no_payment_method` unless one is stored or a card comes with it, `charge_failed` with `details.declineCode`, `charge_in_progress`, `missing_regional_price`, `subscription_not_found`.';

export const PortalCreditsPurchaseInput = builder.inputType('PortalCreditsPurchaseInput', {
  description: 'Which credits to buy.',
  fields: (t) => ({
    token: t.string(sessionToken),
    creditPackId: t.id({ required: true, rule: reference, description: 'One of `creditPacks`.' }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalCreditsPurchase', (t) =>
  t.field({
    type: PortalSubscription,
    description: `Buys a credit pack. ${purchase} \`credit_pack_not_found\`.`,
    errors: [
      'subscription_not_active',
      'no_payment_method',
      'charge_failed',
      'charge_in_progress',
      'missing_regional_price',
      'subscription_not_found',
      'credit_pack_not_found',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalCreditsPurchaseInput, required: true, description: 'The credit pack.' }),
    },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'purchase');
      return buyCredits(ctx, input);
    },
  }),
);

export const PortalBalanceTopUpInput = builder.inputType('PortalBalanceTopUpInput', {
  description: 'How much balance to buy.',
  fields: (t) => ({
    token: t.string(sessionToken),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: { minimum: 1 },
      description: "Minor units of the subscription's currency, above 0; tax comes on top.",
    }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalBalanceTopUp', (t) =>
  t.field({
    type: PortalSubscription,
    description: `Buys balance, which lapses at the next reset. ${purchase}`,
    errors: [
      'subscription_not_active',
      'no_payment_method',
      'charge_failed',
      'charge_in_progress',
      'missing_regional_price',
      'subscription_not_found',
    ],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalBalanceTopUpInput, required: true, description: 'The amount.' }) },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'purchase');
      return buyBalance(ctx, input);
    },
  }),
);

export const PortalAddonActivateInput = builder.inputType('PortalAddonActivateInput', {
  description: 'Which add-on to switch on.',
  fields: (t) => ({
    token: t.string(sessionToken),
    addonId: t.id({ required: true, rule: reference, description: 'One of `offeredAddons`.' }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalAddonActivate', (t) =>
  t.field({
    type: PortalSubscription,
    description: `Switches an add-on on for what is left of the billing period. ${purchase} \`addon_not_found\`, \`addon_already_active\`, \`feature_already_exists\`.`,
    errors: [
      'subscription_not_active',
      'no_payment_method',
      'charge_failed',
      'charge_in_progress',
      'missing_regional_price',
      'subscription_not_found',
      'addon_not_found',
      'addon_already_active',
      'feature_already_exists',
    ],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalAddonActivateInput, required: true, description: 'The add-on.' }) },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'purchase');
      return switchAddonOn(ctx, input);
    },
  }),
);

export const PortalAddonDeactivateInput = builder.inputType('PortalAddonDeactivateInput', {
  description: 'Which add-on to switch off.',
  fields: (t) => ({
    token: t.string(sessionToken),
    addonId: t.id({ required: true, rule: reference, description: 'One of `addons`.' }),
  }),
});

builder.mutationField('portalAddonDeactivate', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Switches an add-on off immediately, without refund. `subscription_not_active`, `addon_not_found`, `addon_not_active`, `subscription_not_found`.',
    errors: ['subscription_not_active', 'addon_not_found', 'addon_not_active', 'subscription_not_found'],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalAddonDeactivateInput, required: true, description: 'The add-on.' }) },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'purchase');
      return switchAddonOff(ctx, input);
    },
  }),
);
