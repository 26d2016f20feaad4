import { operation } from '../../../engine/operation.ts';
import { reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { onAddon } from './store.ts';
import { SubscriptionAddon, SubscriptionAddonDeactivation } from './types.ts';

const subscriptionId = 'ID of the subscription.';

const SubscriptionAddonActivateInput = builder.inputType('SubscriptionAddonActivateInput', {
  description: 'Parameters for adding an add-on to a subscription.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    addonId: t.id({ required: true, rule: reference, description: 'ID or slug of the add-on.' }),
  }),
});

/** Activates an add-on (SUB-70, SUB-71). */
export const addonActivate = operation({
  input: SubscriptionAddonActivateInput,
  ...onAddon,
  command: ({ subscriptionId: id, addonId }) => ({ kind: 'addon.activate', subscriptionId: id, addonId }),
  awaitsPayment: true,
});

builder.mutationField('subscriptionAddonActivate', (t) =>
  t.operation(addonActivate, {
    type: SubscriptionAddon,
    description:
      'Charges the stored payment method for the rest of the billing period, prorated by day, and then adds the add-on to the subscription. Renewals charge the full price.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/addons',
      names: { subscriptionId: 'id' },
      view: 'SubscriptionAddon',
    },
    errors: [
      'subscription_not_found',
      'subscription_not_active',
      'addon_not_found',
      'addon_already_active',
      'feature_already_exists',
      'missing_regional_price',
      'no_payment_method',
      'charge_in_progress',
      'charge_failed',
      'payment_failed',
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SubscriptionAddonDeactivateInput = builder.inputType('SubscriptionAddonDeactivateInput', {
  description: 'Parameters for removing an add-on from a subscription.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    addonId: t.id({ required: true, description: 'ID or slug of the add-on.' }),
  }),
});

/** Deactivates an add-on immediately (SUB-73). */
export const addonDeactivate = operation({
  input: SubscriptionAddonDeactivateInput,
  ...onAddon,
  command: ({ subscriptionId: id, addonId }) => ({ kind: 'addon.deactivate', subscriptionId: id, addonId }),
});

builder.mutationField('subscriptionAddonDeactivate', (t) =>
  t.operation(addonDeactivate, {
    type: SubscriptionAddonDeactivation,
    description:
      "Removes an add-on from a subscription immediately, without a refund. Overage of the add-on's feature is charged on the next invoice.",
    rest: {
      method: 'DELETE',
      path: '/subscriptions/{id}/addons/{addonId}',
      names: { subscriptionId: 'id' },
      view: 'DeletedSubscriptionAddon',
    },
    errors: ['subscription_not_found', 'subscription_not_active', 'addon_not_found', 'addon_not_active'],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);
