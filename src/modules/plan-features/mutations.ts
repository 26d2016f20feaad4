import { builder } from '../../graphql/builder.ts';
import { PricingMode } from '../plans/enums.ts';
import { addPlanFeature, removePlanFeature, updatePlanFeature } from './attach.ts';
import { PlanFeature, PlanFeatureOverageInput, PlanFeatureUpdateInput, RemovedPlanFeature } from './types.ts';

const planId = 'Id of the plan, else its code.';

const PlanFeatureAddInput = builder.inputType('PlanFeatureAddInput', {
  description:
    'A feature for a plan. Terms that do not apply to its type and the consumption model are rejected.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    featureId: t.id({ required: true, description: 'Id of the feature.' }),
    enabled: t.boolean({ rule: { default: true }, description: 'Defaults to true.' }),
    includedAmount: t.field({
      type: 'SafeInt',
      rule: { minimum: 0, default: 0 },
      description: 'Units without extra charge. Defaults to 0.',
    }),
    unlimited: t.boolean({ rule: { default: false }, description: 'Defaults to false.' }),
    overage: t.field({ type: PlanFeatureOverageInput, description: 'Defaults to not enabled.' }),
    creditsPerUnit: t.field({
      type: 'SafeInt',
      rule: { exclusiveMinimum: 0, nullable: true },
      description:
        'Credits one unit takes, greater than 0; required for usage features of credits plans, rejected elsewhere.',
    }),
    pricingMode: t.field({
      type: PricingMode,
      rule: { default: 'fixed' },
      description: 'Defaults to `fixed`.',
    }),
    margin: t.field({
      type: 'Int',
      rule: { minimum: 0, maximum: 1_000_000, nullable: true },
      description: 'Basis points on top of the catalog price, 0 to 1 000 000; with `ai_model` only.',
    }),
  }),
});

builder.mutationField('planFeatureAdd', (t) =>
  t.field({
    type: PlanFeature,
    description: 'Gives a plan a feature; running periods get it immediately.',
    rest: {
      method: 'POST',
      path: '/plans/{id}/features',
      names: { planId: 'id' },
      status: 201,
      view: 'PlanFeature',
      errors: ['plan_not_found', 'feature_not_found', 'feature_already_exists'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PlanFeatureAddInput, required: true, description: 'The feature and its terms.' }),
    },
    resolve: (_root, { input }, ctx) => addPlanFeature(ctx, input),
  }),
);

builder.mutationField('planFeatureUpdate', (t) =>
  t.field({
    type: PlanFeature,
    description:
      "Changes the terms of a feature in a plan. Running periods feel it only as far as it is in the customer's favor.",
    rest: {
      method: 'PATCH',
      path: '/plans/{id}/features/{featureId}',
      names: { planId: 'id' },
      view: 'PlanFeature',
      errors: ['plan_not_found', 'feature_not_found', 'not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanFeatureUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updatePlanFeature(ctx, input),
  }),
);

const PlanFeatureRemoveInput = builder.inputType('PlanFeatureRemoveInput', {
  description: 'Which feature to withdraw from which plan.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    featureId: t.id({ required: true, description: 'Id of the feature.' }),
  }),
});

builder.mutationField('planFeatureRemove', (t) =>
  t.field({
    type: RemovedPlanFeature,
    description:
      'Withdraws a feature from a plan; who holds it keeps it until the next period. `not_found` when the plan does not have it.',
    rest: {
      method: 'DELETE',
      path: '/plans/{id}/features/{featureId}',
      names: { planId: 'id' },
      view: 'RemovedPlanFeature',
      errors: ['not_found'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanFeatureRemoveInput,
        required: true,
        description: 'The plan and the feature.',
      }),
    },
    resolve: (_root, { input }, ctx) => removePlanFeature(ctx, input),
  }),
);
