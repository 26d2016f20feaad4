import { description, name, planCode } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { createPlan } from './create.ts';
import { ConsumptionModel } from './enums.ts';
import { planRows } from './store.ts';
import { Plan } from './types.ts';

const PlanCreateInput = builder.inputType('PlanCreateInput', {
  description: 'Parameters for creating a plan.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Name shown to customers. From 1 to 200 characters.',
    }),
    code: t.string({
      required: true,
      rule: planCode,
      description:
        "Code of the plan, unique in the environment. From 1 to 100 characters. Can't be changed later.",
    }),
    description: t.string({
      rule: description,
      description: 'Description of the plan. Up to 2,000 characters.',
    }),
    consumptionModel: t.field({
      type: ConsumptionModel,
      rule: { default: 'metered' },
      description: "Billing model for usage. Defaults to `metered`. Can't be changed later.",
    }),
    isPublic: t.boolean({
      rule: { default: true },
      description: 'Whether the plan is public. Defaults to `true`.',
    }),
    isFree: t.boolean({
      rule: { default: false },
      description:
        "Whether the plan is free. A free plan has no prices and no overage. Defaults to `false`. Can't be changed later.",
    }),
    blockOnExhaustion: t.boolean({
      rule: { default: false },
      description:
        "Whether usage is rejected when no credits or balance remain. Defaults to `false`. Can't be changed later.",
    }),
    planGroupId: t.id({
      rule: { minLength: 1 },
      description:
        'ID of the plan group to add the plan to. The plan gets the highest rank in the group. Defaults to no plan group.',
    }),
    metadata: t.field({ type: 'Json', description: 'Free-form metadata. Defaults to an empty object.' }),
  }),
});

builder.mutationField('planCreate', (t) =>
  t.field({
    type: Plan,
    description: 'Creates a plan without prices or features.',
    rest: {
      method: 'POST',
      path: '/plans',
      status: 201,
      view: 'Plan',
    },
    errors: ['plan_group_not_found', ['duplicate', 'another plan has the same code']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createPlan(ctx, input),
  }),
);

const PlanUpdateInput = builder.inputType('PlanUpdateInput', {
  description: 'Parameters for changing a plan. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Plan ID or plan code.' }),
    name: t.string({ rule: name, description: 'Name shown to customers. From 1 to 200 characters.' }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Description of the plan. Up to 2,000 characters. `null` removes the description.',
    }),
    metadata: t.field({ type: 'Json', description: 'Free-form metadata. Replaces the stored metadata.' }),
    isPublic: t.boolean({
      description:
        'Whether the plan is public. `false` hides the plan from new customers. Existing subscribers keep the plan.',
    }),
  }),
});

builder.mutationField('planUpdate', (t) =>
  t.field({
    type: Plan,
    description: 'Changes the name, description, metadata, or visibility of a plan.',
    rest: { method: 'PATCH', path: '/plans/{id}', view: 'Plan' },
    errors: ['plan_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanUpdateInput, required: true }) },
    resolve: (_root, { input: { id, ...input } }, ctx) => planRows.update(ctx, id, input),
  }),
);

const PlanVisibilitySetInput = builder.inputType('PlanVisibilitySetInput', {
  description: 'Parameters for showing or hiding a plan.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Plan ID or plan code.' }),
    isPublic: t.boolean({
      required: true,
      description:
        'Whether the plan is public. `false` hides the plan from new customers. Existing subscribers keep the plan.',
    }),
  }),
});

builder.mutationField('planVisibilitySet', (t) =>
  t.field({
    type: Plan,
    description:
      'Shows or hides a plan. Subscriptions to a hidden plan can still be created with an API key.',
    rest: { method: 'PUT', path: '/plans/{id}/visibility', view: 'Plan' },
    errors: ['plan_not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanVisibilitySetInput,
        required: true,
      }),
    },
    resolve: (_root, { input: { id, ...input } }, ctx) => planRows.update(ctx, id, input),
  }),
);

deletionField('planDelete', {
  of: 'a plan',
  reference: 'Plan ID or plan code.',
  description:
    'Deletes a plan. The plan can no longer be selected, but existing subscriptions continue to renew. The code of the plan can be reused.',
  path: '/plans/{id}',
  errors: ['plan_not_found'],
  access: { scope: 'write' },
  delete: (ctx, id) => planRows.delete(ctx, id),
});
