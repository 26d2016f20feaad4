import { createPlan, createPlanGroup } from '../factories.ts';
import { noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /plan-groups': async (shop) => {
      await createPlanGroup(shop);
      return { query: { limit: '2' } };
    },
    'POST /plan-groups': async (shop) => ({
      body: { name: shop.next('group'), description: 'For teams.', isPublic: false },
    }),
    'GET /plan-groups/{id}': async (shop) => ({ path: { id: (await createPlanGroup(shop, 2)).id } }),
    'PATCH /plan-groups/{id}': async (shop) => ({
      path: { id: (await createPlanGroup(shop)).id },
      body: { name: 'Renamed', isPublic: false },
    }),
    'DELETE /plan-groups/{id}': async (shop) => ({ path: { id: (await createPlanGroup(shop, 1)).id } }),
    'POST /plan-groups/{id}/plans': async (shop) => ({
      path: { id: (await createPlanGroup(shop, 1)).id },
      body: { planId: (await createPlan(shop)).id, sortOrder: 7 },
    }),
    'DELETE /plan-groups/{id}/plans/{planId}': async (shop) => {
      const { id, planIds } = await createPlanGroup(shop, 1);
      return { path: { id, planId: planIds[0] ?? '' } };
    },
    'PUT /plan-groups/{id}/plans/reorder': async (shop) => {
      const { id, planIds } = await createPlanGroup(shop, 2);
      return { path: { id }, body: { planIds: planIds.toReversed() } };
    },
  },
  provocations: {
    'GET /plan-groups/{id}': { plan_group_not_found: noId({ id: 'plg_none' }) },
    'PATCH /plan-groups/{id}': { plan_group_not_found: noId({ id: 'plg_none' }, { name: 'None' }) },
    'DELETE /plan-groups/{id}': { plan_group_not_found: noId({ id: 'plg_none' }) },
    'POST /plan-groups/{id}/plans': {
      plan_group_not_found: async (shop) => ({
        path: { id: 'plg_none' },
        body: { planId: (await createPlan(shop)).id },
      }),
      plan_not_found: async (shop) => ({
        path: { id: (await createPlanGroup(shop)).id },
        body: { planId: 'pln_none' },
      }),
      duplicate: async (shop) => {
        const [group, other] = [await createPlanGroup(shop), await createPlanGroup(shop, 1)];
        return { path: { id: group.id }, body: { planId: other.planIds[0] } };
      },
    },
    'DELETE /plan-groups/{id}/plans/{planId}': {
      plan_group_not_found: async (shop) => ({
        path: { id: 'plg_none', planId: (await createPlan(shop)).id },
      }),
      plan_not_found: async (shop) => ({
        path: { id: (await createPlanGroup(shop, 1)).id, planId: (await createPlan(shop)).id },
      }),
    },
    'PUT /plan-groups/{id}/plans/reorder': {
      plan_group_not_found: noId({ id: 'plg_none' }, { planIds: [] }),
    },
  },
};
