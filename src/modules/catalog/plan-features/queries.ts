import { financeAccess } from '../../../graphql/declare/access.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { planRows } from '../plans/store.ts';
import { requireAttached } from './attach.ts';
import { PlanFeatureCost } from './types.ts';

builder.queryField('planFeatureCost', (t) =>
  t.field({
    type: PlanFeatureCost,
    description: 'Returns the cost of a feature in a plan for the organization.',
    rest: {
      method: 'GET',
      path: '/plans/{id}/features/{featureId}/cost',
      names: { planId: 'id' },
      view: 'PlanFeatureCost',
    },
    errors: ['plan_not_found', 'feature_not_found', ['not_found', "the plan doesn't have the feature"]],
    access: financeAccess,
    args: {
      planId: t.arg.id({ required: true, description: 'Plan ID or plan code.' }),
      featureId: t.arg.id({ required: true, description: 'ID of the feature.' }),
    },
    resolve: async (_root, { planId, featureId }, ctx) => {
      const plan = await planRows.require(ctx, planId, 'planId');
      const { row } = await requireAttached(ctx, plan, featureId);
      return { planId: row.planId, featureId: row.featureId, cost: row.costRate };
    },
  }),
);
