import { amountFromZero, description, name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { AddonRateInput } from '../rates/types/inputs.ts';
import { createAddon } from './create.ts';
import { clearAddonRate, setAddonRate } from './set-rate.ts';
import { addonRows, rejectActive } from './store.ts';
import { Addon, AddonConsumptionModel } from './types.ts';
import { updateAddon } from './update.ts';

const addonId = 'Add-on ID or slug.';
const fromZero = { minimum: 0 } as const;

const AddonCreateInput = builder.inputType('AddonCreateInput', {
  description:
    'Parameters for creating an add-on. Set only the terms that apply to the chosen consumption model.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Name shown to customers, from which the slug is derived. From 1 to 200 characters.',
    }),
    basePrice: t.field({
      type: 'SafeInt',
      required: true,
      rule: amountFromZero,
      amount: 'MINOR',
      description: 'Price per billing period in US cents, 0 or more.',
    }),
    featureId: t.id({
      required: true,
      description: "ID of the feature that the add-on provides. Can't be changed later.",
    }),
    consumptionModel: t.field({
      type: AddonConsumptionModel,
      required: true,
      description:
        "Consumption model of the add-on. Boolean features allow only `boolean`. Seats and quota features allow `boolean` and `metered`. Usage features allow every model. Can't be changed later.",
    }),
    description: t.string({
      rule: description,
      description: 'Description of the add-on. Up to 2,000 characters.',
    }),
    includedUnits: t.field({
      type: 'SafeInt',
      rule: fromZero,
      description: 'Units included in the price, per usage window, 0 or more. Required for metered add-ons.',
    }),
    overageRate: t.field({
      type: 'SafeInt',
      rule: fromZero,
      amount: 'RATE',
      description:
        'Price per unit above the included units in ten-thousandths of a US dollar (10,000 = 1.00 USD), 0 or more. Required for metered and balance add-ons.',
    }),
    creditCost: t.field({
      type: 'SafeInt',
      rule: { minimum: 1 },
      description: 'Credits deducted per unit, 1 or more. Required for credits add-ons.',
    }),
  }),
});

builder.mutationField('addonCreate', (t) =>
  t.field({
    type: Addon,
    description: 'Creates an add-on.',
    rest: {
      method: 'POST',
      path: '/addons',
      status: 201,
      view: 'Addon',
    },
    errors: [
      'feature_not_found',
      ['feature_already_exists', 'another add-on provides the feature'],
      ['duplicate', 'another add-on has the slug derived from the name'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: AddonCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createAddon(ctx, input),
  }),
);

const AddonUpdateInput = builder.inputType('AddonUpdateInput', {
  description: 'Parameters for changing an add-on. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: addonId }),
    name: t.string({
      rule: name,
      description: "Name shown to customers. From 1 to 200 characters. The slug doesn't change.",
    }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Description of the add-on. Up to 2,000 characters. `null` removes the description.',
    }),
    basePrice: t.field({
      type: 'SafeInt',
      rule: amountFromZero,
      amount: 'MINOR',
      description: 'Price per billing period in US cents, 0 or more.',
    }),
    includedUnits: t.field({
      type: 'SafeInt',
      rule: fromZero,
      description: 'Units included in the price, per usage window, 0 or more. Metered add-ons only.',
    }),
    overageRate: t.field({
      type: 'SafeInt',
      rule: fromZero,
      amount: 'RATE',
      description:
        'Price per unit above the included units in ten-thousandths of a US dollar (10,000 = 1.00 USD), 0 or more. Replaces the rate. Metered and balance add-ons only.',
    }),
  }),
});

builder.mutationField('addonUpdate', (t) =>
  t.field({
    type: Addon,
    description:
      'Changes an add-on. Subscriptions that have the add-on pay the new base price from their next renewal. An increase in the included units and a decrease in the overage rate apply immediately. Other changes apply from the next period.',
    rest: { method: 'PATCH', path: '/addons/{id}', view: 'Addon' },
    errors: ['addon_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: AddonUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateAddon(ctx, input),
  }),
);

const AddonRateSetInput = builder.inputType('AddonRateSetInput', {
  description: "Parameters for setting the rate of an add-on's feature.",
  fields: (t) => ({
    id: t.id({ required: true, description: addonId }),
    rate: t.field({
      type: AddonRateInput,
      description:
        'Price of units above the included units, in US dollars. If usage is deducted from a pool, the price of all units, in US dollars or credits. Contains either a rate, or rates by dimension (`cells` and `default`). Bounds of tiers must be whole numbers unless the meter of the feature has decimals. Required unless `rateCardId` is set.',
    }),
    rateCardId: t.id({
      description:
        "ID or code of the saved rate card that contains the rates. Can't be combined with `rate`.",
    }),
  }),
});

builder.mutationField('addonRateSet', (t) =>
  t.field({
    type: Addon,
    description:
      "Sets the rate of an add-on's feature and replaces its overage rate or credit cost. In current periods, each quantity has the lower price of the old and the new rate; the new rate alone applies from the next period. If the rate is invalid, `details.reason` of the error is `bad_rate`, and `details.problems` lists all problems. The reason is `ambiguous_cells` if two cells can match the same usage, and `unknown_dimension` if the meter of the feature lacks a dimension.",
    rest: { method: 'PUT', path: '/addons/{id}/rate', view: 'AddonRate' },
    errors: [
      'addon_not_found',
      ['not_found', "the rate card doesn't exist"],
      ['market_not_found', "the market of an override doesn't exist"],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: AddonRateSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setAddonRate(ctx, input),
  }),
);

const AddonRateClearInput = builder.inputType('AddonRateClearInput', {
  description: "Parameters for removing the rate of an add-on's feature.",
  fields: (t) => ({ id: t.id({ required: true, description: addonId }) }),
});

builder.mutationField('addonRateClear', (t) =>
  t.field({
    type: Addon,
    description:
      "Removes the rate of an add-on's feature. Units are then free of charge. Not allowed if the consumption model is `credits`.",
    rest: { method: 'DELETE', path: '/addons/{id}/rate', view: 'AddonRate' },
    errors: ['addon_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: AddonRateClearInput, required: true }) },
    resolve: (_root, { input: { id } }, ctx) => clearAddonRate(ctx, id),
  }),
);

deletionField('addonDelete', {
  of: 'an add-on',
  reference: addonId,
  description: 'Deletes an add-on. Its slug and feature can be reused.',
  path: '/addons/{id}',
  errors: ['addon_not_found', ['addon_has_activations', 'the add-on is active on a subscription']],
  access: { scope: 'write' },
  delete: (ctx, id) => addonRows.delete(ctx, id, (tx, { id }) => rejectActive(tx, id)),
});
