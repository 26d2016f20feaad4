import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { createPlan } from './create.ts';
import { deletePlan } from './delete.ts';
import { ConsumptionModel } from './enums.ts';
import { Plan } from './types.ts';
import { updatePlan } from './update.ts';

const description = { maxLength: 2_000, multiline: true } as const;

const PlanCreateInput = builder.inputType('PlanCreateInput', {
  description: 'A new plan.',
  fields: (t) => ({
    name: t.string({ required: true, rule: name, description: 'Shown to customers, 1 to 200 characters.' }),
    code: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100 },
      description: 'Unique in the environment, 1 to 100 characters. It never changes.',
    }),
    description: t.string({ rule: description, description: 'Up to 2 000 characters.' }),
    consumptionModel: t.field({
      type: ConsumptionModel,
      rule: { default: 'metered' },
      description: 'Defaults to `metered`. It never changes.',
    }),
    isPublic: t.boolean({ rule: { default: true }, description: 'Defaults to true.' }),
    isFree: t.boolean({ rule: { default: false }, description: 'Defaults to false. It never changes.' }),
    blockOnExhaustion: t.boolean({
      rule: { default: false },
      description: 'Whether usage is rejected at zero. Defaults to false. It never changes.',
    }),
    planGroupId: t.id({
      rule: { minLength: 1 },
      description: 'The group to put it in, at the end; `plan_group_not_found` when there is none.',
    }),
    metadata: t.field({ type: 'Json', description: 'Free-form. Defaults to empty.' }),
  }),
});

builder.mutationField('planCreate', (t) =>
  t.field({
    type: Plan,
    description:
      'Creates a plan, without prices and features yet. `duplicate` when another plan has the code.',
    rest: {
      method: 'POST',
      path: '/plans',
      status: 201,
      view: 'Plan',
      errors: ['plan_group_not_found', 'duplicate'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanCreateInput, required: true, description: 'The new plan.' }) },
    resolve: (_root, { input }, ctx) => createPlan(ctx, input),
  }),
);

const PlanUpdateInput = builder.inputType('PlanUpdateInput', {
  description: 'Changes to a plan; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the plan, else its code.' }),
    name: t.string({ rule: name, description: '1 to 200 characters.' }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Up to 2 000 characters; null empties it.',
    }),
    metadata: t.field({ type: 'Json', description: 'Replaces the stored metadata.' }),
    isPublic: t.boolean({ description: 'False hides the plan from new customers; who has it keeps it.' }),
  }),
});

builder.mutationField('planUpdate', (t) =>
  t.field({
    type: Plan,
    description: 'Changes texts, metadata or visibility of a plan.',
    rest: { method: 'PATCH', path: '/plans/{id}', view: 'Plan', errors: ['plan_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updatePlan(ctx, input),
  }),
);

const PlanVisibilitySetInput = builder.inputType('PlanVisibilitySetInput', {
  description: 'Who gets to see a plan.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the plan, else its code.' }),
    isPublic: t.boolean({
      required: true,
      description: 'False hides the plan from new customers; who has it keeps it.',
    }),
  }),
});

builder.mutationField('planVisibilitySet', (t) =>
  t.field({
    type: Plan,
    description: 'Shows or hides a plan. A server key can still create subscriptions on a hidden one.',
    rest: { method: 'PUT', path: '/plans/{id}/visibility', view: 'Plan', errors: ['plan_not_found'] },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanVisibilitySetInput,
        required: true,
        description: 'The plan and its visibility.',
      }),
    },
    resolve: (_root, { input }, ctx) => updatePlan(ctx, input),
  }),
);

const PlanDeleteInput = builder.inputType('PlanDeleteInput', {
  description: 'Which plan to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the plan, else its code.' }) }),
});

builder.mutationField('planDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Retires a plan: it can no longer be selected; its subscriptions go on renewing. Its code is free again.',
    rest: { method: 'DELETE', path: '/plans/{id}', view: 'DeletedObject', errors: ['plan_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanDeleteInput, required: true, description: 'The plan.' }) },
    resolve: (_root, { input }, ctx) => deletePlan(ctx, input.id),
  }),
);
