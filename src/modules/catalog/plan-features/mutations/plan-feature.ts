import { builder } from '../../../../graphql/reading/builder.ts';
import { PricingMode } from '../../plans/enums.ts';
import { FeatureCostInput, FeatureRateInput } from '../../rates/types/inputs.ts';
import { FeatureSettlementInput } from '../../rates/types/settlement.ts';
import { addPlanFeature, removePlanFeature, updatePlanFeature } from '../attach.ts';
import { settleText, withStoredSettlement } from '../read-settlement.ts';
import { clearPlanFeatureRate, setPlanFeatureCost, setPlanFeatureRate } from '../set-rate.ts';
import {
  PlanFeature,
  PlanFeatureOverageInput,
  PlanFeatureUpdateInput,
  RemovedPlanFeature,
} from '../types.ts';

const planId = 'Plan ID or plan code.';

const PlanFeatureAddInput = builder.inputType('PlanFeatureAddInput', {
  description:
    "Parameters for adding a feature to a plan. Terms that don't match the feature type and the plan's consumption model are rejected.",
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    featureId: t.id({ required: true, description: 'ID of the feature.' }),
    enabled: t.boolean({
      rule: { default: true },
      description: 'Whether subscribers can use the feature. Defaults to `true`.',
    }),
    includedAmount: t.field({
      type: 'SafeInt',
      rule: { minimum: 0, default: 0 },
      description:
        'Number of units included in the price, per usage window for usage features. Defaults to 0.',
    }),
    unlimited: t.boolean({
      rule: { default: false },
      description:
        "Whether usage is unlimited. If `true`, the included amount and overage don't apply. Defaults to `false`.",
    }),
    overage: t.field({
      type: PlanFeatureOverageInput,
      description: 'Terms for units above the included amount. Defaults to no overage.',
    }),
    settle: t.field({
      type: FeatureSettlementInput,
      description: `${settleText} Defaults to the settlement of the plan's consumption model.`,
    }),
    creditsPerUnit: t.field({
      type: 'SafeInt',
      rule: { exclusiveMinimum: 0, nullable: true },
      description:
        'Credits deducted per unit, greater than 0. Required for usage features of credits plans, and not allowed otherwise.',
    }),
    pricingMode: t.field({
      type: PricingMode,
      rule: { default: 'fixed' },
      description: 'Source of the unit price. Defaults to `fixed`.',
    }),
    margin: t.field({
      type: 'Int',
      rule: { minimum: 0, maximum: 1_000_000, nullable: true },
      description:
        "Margin on the AI model's token prices, in basis points; 10,000 = 100%. From 0 to 1,000,000. Allowed only if the pricing mode is `ai_model`.",
    }),
  }),
});

builder.mutationField('planFeatureAdd', (t) =>
  t.field({
    type: PlanFeature,
    description: 'Adds a feature to a plan. Current subscribers get the feature immediately.',
    rest: {
      method: 'POST',
      path: '/plans/{id}/features',
      names: { planId: 'id' },
      status: 201,
      view: 'PlanFeature',
    },
    errors: [
      'plan_not_found',
      'feature_not_found',
      ['feature_already_exists', 'the plan already has the feature'],
    ],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PlanFeatureAddInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => addPlanFeature(ctx, withStoredSettlement(input)),
  }),
);

builder.mutationField('planFeatureUpdate', (t) =>
  t.field({
    type: PlanFeature,
    description:
      "Changes the terms of a feature in a plan. In current periods, only changes in the customer's favor apply; other changes apply from the next period.",
    rest: {
      method: 'PATCH',
      path: '/plans/{id}/features/{featureId}',
      names: { planId: 'id' },
      view: 'PlanFeature',
    },
    errors: ['plan_not_found', 'feature_not_found', ['not_found', "the plan doesn't have the feature"]],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanFeatureUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updatePlanFeature(ctx, withStoredSettlement(input)),
  }),
);

export const PlanFeatureRateSetInput = builder.inputType('PlanFeatureRateSetInput', {
  description: "Parameters for setting the rate of a plan's feature.",
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    featureId: t.id({ required: true, description: 'ID of the feature.' }),
    rate: t.field({
      type: FeatureRateInput,
      description:
        'Price of units above the included amount, in US dollars. On balance plans, the price of all units, which can be derived from the cost (`from: cost`). Contains either a rate, or rates by dimension (`cells` and `default`). Bounds of tiers must be whole numbers unless the meter of the feature has decimals. Required unless `rateCardId` is set.',
    }),
    rateCardId: t.id({
      description:
        "ID or code of the saved rate card that contains the rates. Can't be combined with `rate`.",
    }),
  }),
});

builder.mutationField('planFeatureRateSet', (t) =>
  t.field({
    type: PlanFeature,
    description:
      "Sets the rate of a plan's feature and replaces its unit price. Overage is charged only if `overage.enabled` is `true`. In current periods, each quantity has the lower price of the old and the new rate; the new rate alone applies from the next period. If the rate is invalid, `details.reason` of the error is `bad_rate`, and `details.problems` lists all problems. A derived rate fails with the reason `derived_needs_cost` if the feature has no cost, and with `no_included` if the feature includes units. Rates by dimension fail with `ambiguous_cells` if two cells can match the same usage, and with `unknown_dimension` if the meter of the feature lacks a dimension.",
    rest: {
      method: 'PUT',
      path: '/plans/{id}/features/{featureId}/rate',
      names: { planId: 'id' },
      view: 'PlanFeatureRate',
    },
    errors: [
      'plan_not_found',
      'feature_not_found',
      ['not_found', "the plan doesn't have the feature, or the rate card doesn't exist"],
      ['market_not_found', "the market of an override doesn't exist"],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanFeatureRateSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setPlanFeatureRate(ctx, input),
  }),
);

const PlanFeatureRateClearInput = builder.inputType('PlanFeatureRateClearInput', {
  description: "Parameters for removing the rate of a plan's feature.",
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    featureId: t.id({ required: true, description: 'ID of the feature.' }),
  }),
});

builder.mutationField('planFeatureRateClear', (t) =>
  t.field({
    type: PlanFeature,
    description:
      "Removes the rate and the unit price of a plan's feature. If overage is enabled, units above the included amount are then free of charge.",
    rest: {
      method: 'DELETE',
      path: '/plans/{id}/features/{featureId}/rate',
      names: { planId: 'id' },
      view: 'PlanFeatureRate',
    },
    errors: ['plan_not_found', 'feature_not_found', ['not_found', "the plan doesn't have the feature"]],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanFeatureRateClearInput, required: true }) },
    resolve: (_root, { input }, ctx) => clearPlanFeatureRate(ctx, input),
  }),
);

const PlanFeatureCostSetInput = builder.inputType('PlanFeatureCostSetInput', {
  description: "Parameters for setting the cost of a plan's feature.",
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    featureId: t.id({ required: true, description: 'ID of the feature.' }),
    rate: t.field({
      type: FeatureCostInput,
      rule: { nullable: true },
      description:
        'Cost of the units for the organization, in US dollars, or the token prices of AI models (`from: ai_models`). `null` removes the cost.',
    }),
  }),
});

builder.mutationField('planFeatureCostSet', (t) =>
  t.field({
    type: PlanFeature,
    description:
      'Sets the cost of a feature in a plan for the organization. A derived rate applies the new cost to later events. If the cost is invalid, `details.reason` of the error is `bad_rate`. The reason is `derived_needs_cost` if a derived rate requires the cost. Reading the cost requires the scope `finance`.',
    rest: {
      method: 'PUT',
      path: '/plans/{id}/features/{featureId}/cost',
      names: { planId: 'id' },
      view: 'PlanFeatureRate',
    },
    errors: ['plan_not_found', 'feature_not_found', ['not_found', "the plan doesn't have the feature"]],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanFeatureCostSetInput, required: true }) },
    resolve: (_root, { input: { rate = null, ...reference } }, ctx) =>
      setPlanFeatureCost(ctx, reference, rate),
  }),
);

const PlanFeatureRemoveInput = builder.inputType('PlanFeatureRemoveInput', {
  description: 'Parameters for removing a feature from a plan.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    featureId: t.id({ required: true, description: 'ID of the feature.' }),
  }),
});

builder.mutationField('planFeatureRemove', (t) =>
  t.field({
    type: RemovedPlanFeature,
    description:
      'Removes a feature from a plan. Current subscribers keep the feature until their next period.',
    rest: {
      method: 'DELETE',
      path: '/plans/{id}/features/{featureId}',
      names: { planId: 'id' },
      view: 'RemovedPlanFeature',
    },
    errors: [['not_found', "the plan doesn't exist or doesn't have the feature"]],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanFeatureRemoveInput,
        required: true,
      }),
    },
    resolve: (_root, { input }, ctx) => removePlanFeature(ctx, input),
  }),
);
