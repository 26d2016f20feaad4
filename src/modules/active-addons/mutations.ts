import { builder } from '../../graphql/builder.ts';
import { activateAddon } from './activate.ts';
import { deactivateAddon } from './deactivate.ts';
import { SubscriptionAddon, SubscriptionAddonDeactivation } from './types.ts';

const subscriptionId = 'Id of the subscription.';
const reference = { minLength: 1, maxLength: 200 } as const;

export const SubscriptionAddonActivateInput = builder.inputType('SubscriptionAddonActivateInput', {
  description: 'Which add-on to switch on.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    addonId: t.id({ required: true, rule: reference, description: 'Id of the add-on, else its slug.' }),
  }),
});

builder.mutationField('subscriptionAddonActivate', (t) =>
  t.field({
    type: SubscriptionAddon,
    description:
      'Switches an add-on on once the rest of the billing period is paid with the stored payment method, day by day. Each renewal charges it whole.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/addons',
      names: { subscriptionId: 'id' },
      view: 'SubscriptionAddon',
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
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionAddonActivateInput, required: true, description: 'The add-on.' }),
    },
    resolve: (_root, { input }, ctx) => activateAddon(ctx, input),
  }),
);

export const SubscriptionAddonDeactivateInput = builder.inputType('SubscriptionAddonDeactivateInput', {
  description: 'Which add-on to switch off.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    addonId: t.id({ required: true, description: 'Id of the add-on, else its slug.' }),
  }),
});

builder.mutationField('subscriptionAddonDeactivate', (t) =>
  t.field({
    type: SubscriptionAddonDeactivation,
    description:
      'Switches an add-on off immediately, without refund. What its feature was used beyond the included units is on the next invoice.',
    rest: {
      method: 'DELETE',
      path: '/subscriptions/{id}/addons/{addonId}',
      names: { subscriptionId: 'id' },
      view: 'DeletedSubscriptionAddon',
      errors: ['subscription_not_found', 'subscription_not_active', 'addon_not_found', 'addon_not_active'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionAddonDeactivateInput, required: true, description: 'The add-on.' }),
    },
    resolve: (_root, { input }, ctx) => deactivateAddon(ctx, input),
  }),
);
