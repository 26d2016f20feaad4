import { builder } from '../../graphql/builder.ts';
import { addPlanToGroup, removePlanFromGroup, reorderPlans } from './members.ts';
import { AddedPlanToGroup, RemovedPlanFromGroup, ReorderedPlans } from './types.ts';

const groupId = 'Id of the group.';
const planId = 'Id of the plan, else its code.';

const PlanGroupPlanAddInput = builder.inputType('PlanGroupPlanAddInput', {
  description: 'A plan for a group.',
  fields: (t) => ({
    id: t.id({ required: true, description: groupId }),
    planId: t.id({ required: true, rule: { minLength: 1 }, description: planId }),
    sortOrder: t.field({
      type: 'SafeInt',
      rule: { minimum: 0, maximum: 1_000_000 },
      description: 'Rank in the group, 0 to 1 000 000, higher is an upgrade; after all others unless told. `duplicate` when it is taken.',
    }),
  }),
});

builder.mutationField('planGroupPlanAdd', (t) =>
  t.field({
    type: AddedPlanToGroup,
    description:
      'Puts a plan into a group (CAT-37). `duplicate` when it is in one already (CAT-13), `validation_error` when the plans of the group have another consumption model (CAT-39).',
    rest: {
      method: 'POST',
      path: '/plan-groups/{id}/plans',
      view: 'AddedPlanToGroup',
      errors: ['plan_group_not_found', 'plan_not_found', 'duplicate'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupPlanAddInput, required: true, description: 'The group and the plan.' }) },
    resolve: async (_root, { input }, context) => ({ group: await addPlanToGroup(context, input) }),
  }),
);

const PlanGroupPlanRemoveInput = builder.inputType('PlanGroupPlanRemoveInput', {
  description: 'Which plan leaves which group.',
  fields: (t) => ({
    id: t.id({ required: true, description: groupId }),
    planId: t.id({ required: true, description: planId }),
  }),
});

builder.mutationField('planGroupPlanRemove', (t) =>
  t.field({
    type: RemovedPlanFromGroup,
    description:
      'Takes a plan out of a group; `plan_not_found` when it is not in it. Changes already scheduled are still executed (CAT-40).',
    rest: {
      method: 'DELETE',
      path: '/plan-groups/{id}/plans/{planId}',
      view: 'RemovedPlanFromGroup',
      errors: ['plan_group_not_found', 'plan_not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupPlanRemoveInput, required: true, description: 'The group and the plan.' }) },
    resolve: (_root, { input }, context) => removePlanFromGroup(context, input),
  }),
);

const PlanGroupReorderInput = builder.inputType('PlanGroupReorderInput', {
  description: 'A new order for the plans of a group.',
  fields: (t) => ({
    id: t.id({ required: true, description: groupId }),
    planIds: t.idList({ required: true, description: 'Every plan of the group once, lowest first, by id, else by code.' }),
  }),
});

builder.mutationField('planGroupReorder', (t) =>
  t.field({
    type: ReorderedPlans,
    description:
      'Sets the order of all plans of a group, low to high; `validation_error` for a missing, repeated or foreign plan (CAT-38).',
    rest: { method: 'PUT', path: '/plan-groups/{id}/plans/reorder', view: 'ReorderedPlans', errors: ['plan_group_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupReorderInput, required: true, description: 'The group and the order.' }) },
    resolve: async (_root, { input }, context) => ({ group: await reorderPlans(context, input) }),
  }),
);
