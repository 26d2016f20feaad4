import { amountAboveZero, reference } from '../../../../graphql/declare/shapes.ts';
import { addonActivate, addonDeactivate } from '../../../subscriptions/active-addons/mutations.ts';
import { balanceTopUp, creditsPurchase } from '../../../subscriptions/purchases/mutations.ts';
import { cardFields, inputField, portalMutation } from './declare.ts';

const purchase =
  'Not available if a payment is outstanding. Requires a stored payment method, or a card in the request.';

const purchaseErrors = [
  'subscription_not_active',
  'no_payment_method',
  ['charge_failed', 'the charge is declined (`details.declineCode`)'],
  'charge_in_progress',
  'missing_regional_price',
  'subscription_not_found',
] as const;

export const creditsPurchaseAction = portalMutation('portalCreditsPurchase', {
  parameters: 'Parameters for purchasing a credit pack.',
  fields: {
    creditPackId: inputField.id({
      required: true,
      rule: reference,
      description: 'ID of a credit pack from `creditPacks`.',
    }),
    ...cardFields(),
  },
  setting: 'purchase',
  operation: creditsPurchase,
  as: ({ id }, { creditPackId }) => ({ subscriptionId: id, creditPackId }),
  card: (input) => input,
  description: `Purchases a credit pack. ${purchase}`,
  errors: [...purchaseErrors, 'credit_pack_not_found'],
});

export const balanceTopUpAction = portalMutation('portalBalanceTopUp', {
  parameters: 'Parameters for topping up the balance.',
  fields: {
    amount: inputField.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountAboveZero,
      description: "Amount in the smallest unit of the subscription's currency. At least 1. Tax is added.",
    }),
    ...cardFields(),
  },
  setting: 'purchase',
  operation: balanceTopUp,
  as: ({ id }, { amount }) => ({ subscriptionId: id, amount }),
  card: (input) => input,
  description: `Tops up the balance. The top-up expires when the balance is next reset. ${purchase}`,
  errors: purchaseErrors,
});

export const addonActivateAction = portalMutation('portalAddonActivate', {
  parameters: 'Parameters for adding an add-on.',
  fields: {
    addonId: inputField.id({
      required: true,
      rule: reference,
      description: 'ID of an add-on from `offeredAddons`.',
    }),
    ...cardFields(),
  },
  setting: 'purchase',
  operation: addonActivate,
  as: ({ id }, { addonId }) => ({ subscriptionId: id, addonId }),
  card: (input) => input,
  description: `Adds an add-on, and charges the price for the rest of the billing period. Renewals charge the full price. ${purchase}`,
  errors: [...purchaseErrors, 'addon_not_found', 'addon_already_active', 'feature_already_exists'],
});

export const addonDeactivateAction = portalMutation('portalAddonDeactivate', {
  parameters: 'Parameters for removing an add-on.',
  fields: {
    addonId: inputField.id({
      required: true,
      rule: reference,
      description: 'ID of an add-on from `addons`.',
    }),
  },
  setting: 'purchase',
  operation: addonDeactivate,
  as: ({ id }, { addonId }) => ({ subscriptionId: id, addonId }),
  description: 'Removes an add-on immediately, without a refund.',
  errors: ['subscription_not_active', 'addon_not_found', 'addon_not_active', 'subscription_not_found'],
});
