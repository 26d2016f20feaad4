import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import type { PlanGroupRow } from '../plans/store.ts';

export const PlanGroup = builder.prismaObject('PlanGroup', {
  ...node({ prefix: 'plg' }),
  description: 'Plans customers can move between, in an order that alone decides what is an upgrade.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `plg_…`.' }),
    name: t.exposeString('name', { description: 'Shown to customers.' }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    isPublic: t.exposeBoolean('isPublic', {
      description: 'False hides the group from pricing lists and the portal.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Business time of the last change of its texts or visibility.',
    }),
    plans: t.rows('plans', {
      orderBy: 'sortOrder',
      where: { deletedAt: null },
      description: 'The plans that can be selected, lowest rank first.',
    }),
    object: t.string({ description: 'Always `plan_group`.', resolve: () => 'plan_group' }),
    livemode: t.livemode(),
  }),
});

export const PlanGroupConnection = connectionOf('PlanGroup', PlanGroup, 'plan groups');

builder.prismaObjectField('Plan', 'planGroup', (t) =>
  t.row('planGroup', { description: 'The group the plan is in; null outside one.' }),
);

const texts = 'id name description isPublic createdAt updatedAt';
restView('PlanGroup', 'PlanGroup', `${texts} object livemode`);
restView('PlanGroupDetail', 'PlanGroup', `${texts} plans { id name sortOrder } object livemode`);

/** What a change of the places in a group answers: the group. */
export type ChangedPlaces = { readonly group: PlanGroupRow };

export const AddedPlanToGroup = builder.objectRef<ChangedPlaces>('AddedPlanToGroup').implement({
  description: 'Acknowledges that a plan entered a group.',
  fields: (t) => ({
    success: t.boolean({ description: 'Always true.', resolve: () => true }),
    planGroup: t.field({ type: PlanGroup, description: 'The group.', resolve: ({ group }) => group }),
    object: t.string({
      description: 'Always `plan_group_membership`.',
      resolve: () => 'plan_group_membership',
    }),
    livemode: t.livemode(),
  }),
});

restView('AddedPlanToGroup', 'AddedPlanToGroup', 'success object livemode');

export const RemovedPlanFromGroup = builder
  .objectRef<ChangedPlaces & { readonly planId: string }>('RemovedPlanFromGroup')
  .implement({
    description: 'Acknowledges that a plan left a group.',
    fields: (t) => ({
      planId: t.exposeID('planId', { description: 'Id of the plan.' }),
      removed: t.boolean({ description: 'Always true.', resolve: () => true }),
      planGroup: t.field({ type: PlanGroup, description: 'The group.', resolve: ({ group }) => group }),
      object: t.string({
        description: 'Always `plan_group_membership`.',
        resolve: () => 'plan_group_membership',
      }),
      livemode: t.livemode(),
    }),
  });

restView('RemovedPlanFromGroup', 'RemovedPlanFromGroup', 'id: planId removed object livemode');

export const ReorderedPlans = builder.objectRef<ChangedPlaces>('ReorderedPlans').implement({
  description: 'Acknowledges a new order of the plans of a group.',
  fields: (t) => ({
    reordered: t.boolean({ description: 'Always true.', resolve: () => true }),
    planGroup: t.field({ type: PlanGroup, description: 'The group.', resolve: ({ group }) => group }),
    object: t.string({ description: 'Always `plan_group_order`.', resolve: () => 'plan_group_order' }),
    livemode: t.livemode(),
  }),
});

restView('ReorderedPlans', 'ReorderedPlans', 'reordered object livemode');
