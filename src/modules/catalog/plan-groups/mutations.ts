import { description, name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { planGroupRows } from '../plans/store.ts';
import { addPlanToGroup, releasePlans, removePlanFromGroup, reorderPlans } from './arrange.ts';
import { AddedPlanToGroup, PlanGroup, RemovedPlanFromGroup, ReorderedPlans } from './types.ts';

const PlanGroupCreateInput = builder.inputType('PlanGroupCreateInput', {
  description: 'Parameters for creating a plan group.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Name shown to customers. From 1 to 200 characters.',
    }),
    description: t.string({
      rule: description,
      description: 'Description of the plan group. Up to 2,000 characters.',
    }),
    isPublic: t.boolean({
      rule: { default: true },
      description:
        'Whether the plan group is public. `false` hides the group from pricing lists and the customer portal. Defaults to `true`.',
    }),
  }),
});

builder.mutationField('planGroupCreate', (t) =>
  t.field({
    type: PlanGroup,
    description: 'Creates a plan group without plans.',
    rest: { method: 'POST', path: '/plan-groups', status: 201, view: 'PlanGroup' },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => planGroupRows.create(ctx, input),
  }),
);

const PlanGroupUpdateInput = builder.inputType('PlanGroupUpdateInput', {
  description: 'Parameters for changing a plan group. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the plan group.' }),
    name: t.string({ rule: name, description: 'Name shown to customers. From 1 to 200 characters.' }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Description of the plan group. Up to 2,000 characters. `null` removes the description.',
    }),
    isPublic: t.boolean({
      description:
        'Whether the plan group is public. `false` hides the group from pricing lists and the customer portal.',
    }),
  }),
});

builder.mutationField('planGroupUpdate', (t) =>
  t.field({
    type: PlanGroup,
    description: 'Changes the name, description, or visibility of a plan group.',
    rest: { method: 'PATCH', path: '/plan-groups/{id}', view: 'PlanGroup' },
    errors: ['plan_group_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupUpdateInput, required: true }) },
    resolve: (_root, { input: { id, ...input } }, ctx) => planGroupRows.update(ctx, id, input),
  }),
);

deletionField('planGroupDelete', {
  of: 'a plan group',
  reference: 'ID of the plan group.',
  description: "Deletes a plan group. The plans in the group aren't deleted.",
  path: '/plan-groups/{id}',
  errors: ['plan_group_not_found'],
  access: { scope: 'write' },
  delete: (ctx, id) => planGroupRows.delete(ctx, id, releasePlans),
});

const groupId = 'ID of the plan group.';

const planId = 'Plan ID or plan code.';

const PlanGroupPlanAddInput = builder.inputType('PlanGroupPlanAddInput', {
  description: 'Parameters for adding a plan to a plan group.',
  fields: (t) => ({
    planGroupId: t.id({ required: true, description: groupId }),
    planId: t.id({ required: true, rule: { minLength: 1 }, description: planId }),
    sortOrder: t.field({
      type: 'Int',
      rule: { minimum: 0, maximum: 1_000_000 },
      description:
        'Rank in the group, from 0 to 1,000,000. A change to a plan with a higher rank is an upgrade. Defaults to the highest rank in the group plus 1.',
    }),
  }),
});

builder.mutationField('planGroupPlanAdd', (t) =>
  t.field({
    type: AddedPlanToGroup,
    description:
      'Adds a plan to a plan group. The plan must have the same consumption model and currencies as the other plans of the group.',
    rest: {
      method: 'POST',
      path: '/plan-groups/{id}/plans',
      names: { planGroupId: 'id' },
      view: 'AddedPlanToGroup',
    },
    errors: [
      'plan_group_not_found',
      'plan_not_found',
      ['duplicate', 'the plan is already in a plan group, or if another plan in the group has the rank'],
    ],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PlanGroupPlanAddInput, required: true }),
    },
    resolve: async (_root, { input }, ctx) => ({ group: await addPlanToGroup(ctx, input) }),
  }),
);

const PlanGroupPlanRemoveInput = builder.inputType('PlanGroupPlanRemoveInput', {
  description: 'Parameters for removing a plan from a plan group.',
  fields: (t) => ({
    planGroupId: t.id({ required: true, description: groupId }),
    planId: t.id({ required: true, description: planId }),
  }),
});

builder.mutationField('planGroupPlanRemove', (t) =>
  t.field({
    type: RemovedPlanFromGroup,
    description: 'Removes a plan from a plan group. Scheduled plan changes still take effect.',
    rest: {
      method: 'DELETE',
      path: '/plan-groups/{id}/plans/{planId}',
      names: { planGroupId: 'id' },
      view: 'RemovedPlanFromGroup',
    },
    errors: ['plan_group_not_found', ['plan_not_found', "the plan isn't in the group"]],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanGroupPlanRemoveInput,
        required: true,
      }),
    },
    resolve: (_root, { input }, ctx) => removePlanFromGroup(ctx, input),
  }),
);

const PlanGroupReorderInput = builder.inputType('PlanGroupReorderInput', {
  description: 'Parameters for reordering the plans of a plan group.',
  fields: (t) => ({
    id: t.id({ required: true, description: groupId }),
    planIds: t.idList({
      required: true,
      description:
        'IDs or codes of all plans in the group, lowest rank first. Each plan must appear exactly once.',
    }),
  }),
});

builder.mutationField('planGroupReorder', (t) =>
  t.field({
    type: ReorderedPlans,
    description: 'Sets the order of the plans in a plan group, from lowest to highest.',
    rest: {
      method: 'PUT',
      path: '/plan-groups/{id}/plans/reorder',
      view: 'ReorderedPlans',
    },
    errors: ['plan_group_not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PlanGroupReorderInput, required: true }),
    },
    resolve: async (_root, { input }, ctx) => ({ group: await reorderPlans(ctx, input) }),
  }),
);
