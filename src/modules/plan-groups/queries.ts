import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requirePlanGroup } from '../plans/store.ts';
import { PlanGroup, PlanGroupConnection } from './types.ts';

builder.queryField('planGroups', (t) =>
  t.field({
    type: PlanGroupConnection,
    description: 'Plan groups, hidden ones too, newest first.',
    rest: { method: 'GET', path: '/plan-groups', view: 'PlanGroup' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'PlanGroup', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('planGroup', (t) =>
  t.field({
    type: PlanGroup,
    description:
      'One plan group with its plans; `plan_group_not_found` when there is none or it was deleted.',
    rest: {
      method: 'GET',
      path: '/plan-groups/{id}',
      view: 'PlanGroupDetail',
      errors: ['plan_group_not_found'],
    },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the group.' }) },
    resolve: (_root, { id }, ctx) => requirePlanGroup(ctx, id),
  }),
);
