import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { PlanGroup } from './types.ts';
import { createPlanGroup, deletePlanGroup, updatePlanGroup } from './write.ts';

const description = { maxLength: 2_000 } as const;

const PlanGroupCreateInput = builder.inputType('PlanGroupCreateInput', {
  description: 'A new plan group.',
  fields: (t) => ({
    name: t.string({ required: true, rule: name, description: 'Shown to customers, 1 to 200 characters.' }),
    description: t.string({ rule: description, description: 'Up to 2 000 characters.' }),
    isPublic: t.boolean({ rule: { default: true }, description: 'False hides it from pricing lists and the portal; true unless told.' }),
  }),
});

builder.mutationField('planGroupCreate', (t) =>
  t.field({
    type: PlanGroup,
    description: 'Creates a plan group, without plans yet (CAT-37a).',
    rest: { method: 'POST', path: '/plan-groups', status: 201, view: 'PlanGroup' },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupCreateInput, required: true, description: 'The new group.' }) },
    resolve: (_root, { input }, context) => createPlanGroup(context, input),
  }),
);

const PlanGroupUpdateInput = builder.inputType('PlanGroupUpdateInput', {
  description: 'Changes to a plan group; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the group.' }),
    name: t.string({ rule: name, description: '1 to 200 characters.' }),
    description: t.string({ rule: { ...description, nullable: true }, description: 'Up to 2 000 characters; null empties it.' }),
    isPublic: t.boolean({ description: 'False hides it from pricing lists and the portal.' }),
  }),
});

builder.mutationField('planGroupUpdate', (t) =>
  t.field({
    type: PlanGroup,
    description: 'Changes texts or visibility of a plan group (CAT-37a).',
    rest: { method: 'PATCH', path: '/plan-groups/{id}', view: 'PlanGroup', errors: ['plan_group_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, context) => updatePlanGroup(context, input),
  }),
);

const PlanGroupDeleteInput = builder.inputType('PlanGroupDeleteInput', {
  description: 'Which plan group to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the group.' }) }),
});

builder.mutationField('planGroupDelete', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Deletes a plan group. Its plans stay, without a group (CAT-40).',
    rest: { method: 'DELETE', path: '/plan-groups/{id}', view: 'DeletedObject', errors: ['plan_group_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanGroupDeleteInput, required: true, description: 'The group.' }) },
    resolve: (_root, { input }, context) => deletePlanGroup(context, input.id),
  }),
);
