import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { createAddon } from './create.ts';
import { deleteAddon } from './delete.ts';
import { Addon, AddonConsumptionModel } from './types.ts';
import { updateAddon } from './update.ts';

const addonId = 'Id of the add-on, else its slug.';
const description = { maxLength: 2_000, multiline: true } as const;
const fromZero = { minimum: 0 } as const;

const AddonCreateInput = builder.inputType('AddonCreateInput', {
  description: 'A new add-on, with exactly the terms its consumption model has.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: '1 to 200 characters; the slug is made of it.',
    }),
    basePrice: t.field({
      type: 'SafeInt',
      required: true,
      rule: fromZero,
      amount: 'MINOR',
      description: 'US cents per billing period, from 0 on.',
    }),
    featureId: t.id({ required: true, description: 'Id of the feature it sells. It never changes.' }),
    consumptionModel: t.field({
      type: AddonConsumptionModel,
      required: true,
      description:
        'It never changes. Boolean features: `boolean` only; seats and quota: `boolean` or `metered`.',
    }),
    description: t.string({ rule: description, description: 'Up to 2 000 characters.' }),
    includedUnits: t.field({
      type: 'SafeInt',
      rule: fromZero,
      description: 'Units without extra charge, from 0 on. Needed for metered.',
    }),
    overageRate: t.field({
      type: 'SafeInt',
      rule: fromZero,
      amount: 'RATE',
      description:
        'Price of one further unit, from 0 on; 10 000 is 1.00 USD. Needed for metered and balance.',
    }),
    creditCost: t.field({
      type: 'SafeInt',
      rule: { minimum: 1 },
      description: 'Credits one unit takes, above 0. Needed for credits.',
    }),
  }),
});

builder.mutationField('addonCreate', (t) =>
  t.field({
    type: Addon,
    description:
      'Creates an add-on. `feature_already_exists` when another one sells the feature, `duplicate` when one has the slug the name gives.',
    rest: {
      method: 'POST',
      path: '/addons',
      status: 201,
      view: 'Addon',
      errors: ['feature_not_found', 'feature_already_exists', 'duplicate'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: AddonCreateInput, required: true, description: 'The new add-on.' }) },
    resolve: (_root, { input }, ctx) => createAddon(ctx, input),
  }),
);

const AddonUpdateInput = builder.inputType('AddonUpdateInput', {
  description: 'Changes to an add-on; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: addonId }),
    name: t.string({ rule: name, description: '1 to 200 characters; the slug stays.' }),
    description: t.string({ rule: description, description: 'Up to 2 000 characters.' }),
    basePrice: t.field({
      type: 'SafeInt',
      rule: fromZero,
      amount: 'MINOR',
      description: 'US cents per billing period, from 0 on.',
    }),
    includedUnits: t.field({
      type: 'SafeInt',
      rule: fromZero,
      description: 'Units without extra charge, from 0 on. Metered only.',
    }),
    overageRate: t.field({
      type: 'SafeInt',
      rule: fromZero,
      amount: 'RATE',
      description: 'Price of one further unit, from 0 on; 10 000 is 1.00 USD. Metered and balance only.',
    }),
  }),
});

builder.mutationField('addonUpdate', (t) =>
  t.field({
    type: Addon,
    description:
      'Changes an add-on. Where it is active, the base price counts from the next renewal on, more units and a lower rate immediately, the rest with the next period.',
    rest: { method: 'PATCH', path: '/addons/{id}', view: 'Addon', errors: ['addon_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: AddonUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updateAddon(ctx, input),
  }),
);

const AddonDeleteInput = builder.inputType('AddonDeleteInput', {
  description: 'Which add-on to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: addonId }) }),
});

builder.mutationField('addonDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Takes an add-on out of the catalog; `addon_has_activations` while a subscription has it active. Its slug and feature are free again.',
    rest: {
      method: 'DELETE',
      path: '/addons/{id}',
      view: 'DeletedObject',
      errors: ['addon_not_found', 'addon_has_activations'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: AddonDeleteInput, required: true, description: 'The add-on.' }) },
    resolve: (_root, { input }, ctx) => deleteAddon(ctx, input.id),
  }),
);
