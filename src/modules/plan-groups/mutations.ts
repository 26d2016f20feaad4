import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { addPlanToGroup, removePlanFromGroup, reorderPlans } from './arrange.ts';
import { createPlanGroup } from './create.ts';
import { deletePlanGroup } from './delete.ts';
import { AddedPlanToGroup, PlanGroup, RemovedPlanFromGroup, ReorderedPlans } from './types.ts';
import { updatePlanGroup } from './update.ts';

const description = { maxLength: 2_000, multiline: true } as const;

const PlanGroupCreateInput = builder.inputType('PlanGroupCreateInput', {
  description: 'A new plan group.',
  fields: (t) => ({
    name: t.string({ required: true, rule: name, description: 'Shown to customers, 1 to 200 characters.' }),
    description: t.string({ rule: description, description: 'Up to 2 000 characters.' }),
    isPublic: t.boolean({
      rule: { default: true },
      description: 'False hides it from pricing lists and the portal. Defaults to true.',
    }),
  }),
});

builder.mutationField('planGroupCreate', (t) =>
  t.field({
    type: PlanGroup,
    description: 'Creates a plan group, without plans yet.',
    rest: { method: 'POST', path: '/plan-groups', status: 201, view: 'PlanGroup' },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupCreateInput, required: true, description: 'The new group.' }) },
    resolve: (_root, { input }, ctx) => createPlanGroup(ctx, input),
  }),
);

const PlanGroupUpdateInput = builder.inputType('PlanGroupUpdateInput', {
  description: 'Changes to a plan group; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the group.' }),
    name: t.string({ rule: name, description: '1 to 200 characters.' }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Up to 2 000 characters; null empties it.',
    }),
    isPublic: t.boolean({ description: 'False hides it from pricing lists and the portal.' }),
  }),
});

builder.mutationField('planGroupUpdate', (t) =>
  t.field({
    type: PlanGroup,
    description: 'Changes texts or visibility of a plan group.',
    rest: { method: 'PATCH', path: '/plan-groups/{id}', view: 'PlanGroup', errors: ['plan_group_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updatePlanGroup(ctx, input),
  }),
);

const PlanGroupDeleteInput = builder.inputType('PlanGroupDeleteInput', {
  description: 'Which plan group to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the group.' }) }),
});

builder.mutationField('planGroupDelete', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Deletes a plan group. Its plans stay, without a group.',
    rest: {
      method: 'DELETE',
      path: '/plan-groups/{id}',
      view: 'DeletedObject',
      errors: ['plan_group_not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupDeleteInput, required: true, description: 'The group.' }) },
    resolve: (_root, { input }, ctx) => deletePlanGroup(ctx, input.id),
  }),
);

const groupId = 'Id of the group.';

const planId = 'Id of the plan, else its code.';

const PlanGroupPlanAddInput = builder.inputType('PlanGroupPlanAddInput', {
  description: 'A plan for a group.',
  fields: (t) => ({
    planGroupId: t.id({ required: true, description: groupId }),
    planId: t.id({ required: true, rule: { minLength: 1 }, description: planId }),
    sortOrder: t.field({
      type: 'Int',
      rule: { minimum: 0, maximum: 1_000_000 },
      description:
        'Rank in the group, 0 to 1 000 000, higher is an upgrade. Defaults to after all others. `duplicate` when it is taken.',
    }),
  }),
});

builder.mutationField('planGroupPlanAdd', (t) =>
  t.field({
    type: AddedPlanToGroup,
    description:
      'Puts a plan into a group. `duplicate` when it is in one already, `validation_error` when the plans of the group have another consumption model.',
    rest: {
      method: 'POST',
      path: '/plan-groups/{id}/plans',
      names: { planGroupId: 'id' },
      view: 'AddedPlanToGroup',
      errors: ['plan_group_not_found', 'plan_not_found', 'duplicate'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PlanGroupPlanAddInput, required: true, description: 'The group and the plan.' }),
    },
    resolve: async (_root, { input }, ctx) => ({ group: await addPlanToGroup(ctx, input) }),
  }),
);

const PlanGroupPlanRemoveInput = builder.inputType('PlanGroupPlanRemoveInput', {
  description: 'Which plan leaves which group.',
  fields: (t) => ({
    planGroupId: t.id({ required: true, description: groupId }),
    planId: t.id({ required: true, description: planId }),
  }),
});

builder.mutationField('planGroupPlanRemove', (t) =>
  t.field({
    type: RemovedPlanFromGroup,
    description:
      'Takes a plan out of a group; `plan_not_found` when it is not in it. Changes already scheduled are still executed.',
    rest: {
      method: 'DELETE',
      path: '/plan-groups/{id}/plans/{planId}',
      names: { planGroupId: 'id' },
      view: 'RemovedPlanFromGroup',
      errors: ['plan_group_not_found', 'plan_not_found'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanGroupPlanRemoveInput,
        required: true,
        description: 'The group and the plan.',
      }),
    },
    resolve: (_root, { input }, ctx) => removePlanFromGroup(ctx, input),
  }),
);

const PlanGroupReorderInput = builder.inputType('PlanGroupReorderInput', {
  description: 'A new order for the plans of a group.',
  fields: (t) => ({
    id: t.id({ required: true, description: groupId }),
    planIds: t.idList({
      required: true,
      description: 'Every plan of the group once, lowest first, by id, else by code.',
    }),
  }),
});

builder.mutationField('planGroupReorder', (t) =>
  t.field({
    type: ReorderedPlans,
    description:
      'Sets the order of all plans of a group, low to high; `validation_error` for a missing, repeated or foreign plan.',
    rest: {
      method: 'PUT',
      path: '/plan-groups/{id}/plans/reorder',
      view: 'ReorderedPlans',
      errors: ['plan_group_not_found'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PlanGroupReorderInput, required: true, description: 'The group and the order.' }),
    },
    resolve: async (_root, { input }, ctx) => ({ group: await reorderPlans(ctx, input) }),
  }),
);
