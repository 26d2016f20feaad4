import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import type { PlanGroupRow } from '../plans/store.ts';

export const PlanGroup = builder.prismaObject('PlanGroup', {
  ...node({ prefix: 'plg' }),
  description:
    'An ordered set of plans that customers can switch between. The order determines which changes are upgrades.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    isPublic: t.exposeBoolean('isPublic'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
    }),
    plans: t.rows('plans', {
      orderBy: 'sortOrder',
      where: { deletedAt: null },
      description: "Plans of the group that aren't deleted, lowest rank first.",
    }),
    object: t.string({ description: 'Always `plan_group`.', resolve: () => 'plan_group' }),
    livemode: t.livemode(),
  }),
});

export const PlanGroupConnection = connectionOf('PlanGroup', PlanGroup, 'plan groups');

builder.prismaObjectField('Plan', 'planGroup', (t) =>
  t.row('planGroup', { description: "Plan group of the plan. `null` if the plan isn't in a group." }),
);

const texts = 'id name description isPublic createdAt updatedAt';
restView('PlanGroup', 'PlanGroup', `${texts} object livemode`);
restView('PlanGroupDetail', 'PlanGroup', `${texts} plans { id name sortOrder } object livemode`);

/** Result of changing the plans or ranks of a group. */
export type ChangedPlaces = { readonly group: PlanGroupRow };

export const AddedPlanToGroup = builder.objectRef<ChangedPlaces>('AddedPlanToGroup').implement({
  description: 'Confirmation that a plan was added to a plan group.',
  fields: (t) => ({
    success: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    planGroup: t.field({
      type: PlanGroup,
      description: 'Plan group that the plan was added to.',
      resolve: ({ group }) => group,
    }),
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
    description: 'Confirmation that a plan was removed from a plan group.',
    fields: (t) => ({
      planId: t.exposeID('planId', { description: 'ID of the removed plan.' }),
      removed: t.boolean({ description: 'Always `true`.', resolve: () => true }),
      planGroup: t.field({
        type: PlanGroup,
        description: 'Plan group that the plan was removed from.',
        resolve: ({ group }) => group,
      }),
      object: t.string({
        description: 'Always `plan_group_membership`.',
        resolve: () => 'plan_group_membership',
      }),
      livemode: t.livemode(),
    }),
  });

restView('RemovedPlanFromGroup', 'RemovedPlanFromGroup', 'id: planId removed object livemode');

export const ReorderedPlans = builder.objectRef<ChangedPlaces>('ReorderedPlans').implement({
  description: 'Confirmation that the plans of a plan group were reordered.',
  fields: (t) => ({
    reordered: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    planGroup: t.field({
      type: PlanGroup,
      description: 'Plan group with the new order.',
      resolve: ({ group }) => group,
    }),
    object: t.string({ description: 'Always `plan_group_order`.', resolve: () => 'plan_group_order' }),
    livemode: t.livemode(),
  }),
});

restView('ReorderedPlans', 'ReorderedPlans', 'reordered object livemode');
