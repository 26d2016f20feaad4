import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { planGroupRows } from '../plans/store.ts';
import { PlanGroup, PlanGroupConnection } from './types.ts';

builder.queryField('planGroups', (t) =>
  t.field({
    type: PlanGroupConnection,
    description: 'Lists plan groups, including hidden groups, newest first.',
    rest: { method: 'GET', path: '/plan-groups', view: 'PlanGroup' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'PlanGroup', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('planGroup', (t) =>
  t.field({
    type: PlanGroup,
    description: 'Returns a plan group with its plans.',
    rest: {
      method: 'GET',
      path: '/plan-groups/{id}',
      view: 'PlanGroupDetail',
    },
    errors: [['plan_group_not_found', "the plan group doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the plan group.' }) },
    resolve: (_root, { id }, ctx) => planGroupRows.require(ctx, id),
  }),
);
