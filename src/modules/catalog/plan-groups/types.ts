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
    ...t.columns('id', 'name', 'description', 'isPublic'),
    ...t.columns('createdAt', 'updatedAt'),
    plans: t.rows('plans', {
      orderBy: 'sortOrder',
      where: { deletedAt: null },
      description: "Plans in the group, lowest rank first. Deleted plans aren't included.",
    }),
    ...t.resource('plan_group'),
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
    planGroup: t.member('group', PlanGroup).describe('Plan group that the plan was added to.'),
    ...t.resource('plan_group_membership'),
  }),
});

restView('AddedPlanToGroup', 'AddedPlanToGroup', 'success object livemode');

export const RemovedPlanFromGroup = builder
  .objectRef<ChangedPlaces & { readonly planId: string }>('RemovedPlanFromGroup')
  .implement({
    description: 'Confirmation that a plan was removed from a plan group.',
    fields: (t) => ({
      planId: t.member('planId', 'ID').describe('ID of the removed plan.'),
      removed: t.boolean({ description: 'Always `true`.', resolve: () => true }),
      planGroup: t.member('group', PlanGroup).describe('Plan group that the plan was removed from.'),
      ...t.resource('plan_group_membership'),
    }),
  });

restView('RemovedPlanFromGroup', 'RemovedPlanFromGroup', 'id: planId removed object livemode');

export const ReorderedPlans = builder.objectRef<ChangedPlaces>('ReorderedPlans').implement({
  description: 'Confirmation that the plans of a plan group were reordered.',
  fields: (t) => ({
    reordered: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    planGroup: t.member('group', PlanGroup).describe('Plan group with the new order.'),
    ...t.resource('plan_group_order'),
  }),
});

restView('ReorderedPlans', 'ReorderedPlans', 'reordered object livemode');
