import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { plansMatching } from './list.ts';
import { planRows } from './store.ts';
import { PlanFilter } from './types/filter.ts';
import { Plan, PlanConnection } from './types.ts';

/** Default page size for catalog lists. The default is large so that API clients that don't paginate get all objects. */
const defaultSize = 1_000;

builder.queryField('plans', (t) =>
  t.field({
    type: PlanConnection,
    description: 'Lists public plans, newest first. Set `includePrivate` to include hidden plans.',
    rest: { method: 'GET', path: '/plans', view: 'Plan', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      filter: t.arg({ type: PlanFilter, description: 'Filters the results.' }),
      includePrivate: t.arg.boolean({
        rule: { default: false },
        description: 'Whether to include hidden plans. Defaults to `false`.',
      }),
    },
    resolve: (_root, args, ctx) =>
      readPage(ctx, plansMatching(args.filter ?? null, args.includePrivate === true), args, { defaultSize }),
  }),
);

builder.queryField('plan', (t) =>
  t.field({
    type: Plan,
    description: 'Returns a public or hidden plan by ID or code.',
    rest: { method: 'GET', path: '/plans/{id}', view: 'Plan' },
    errors: [['plan_not_found', "the plan doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Plan ID or plan code.' }) },
    resolve: (_root, { id }, ctx) => planRows.require(ctx, id),
  }),
);
