import { builder } from '../../graphql/builder.ts';
import { readPage } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { plansThat } from './list.ts';
import { requirePlan } from './store.ts';
import { PlanFilter } from './types/filter.ts';
import { Plan, PlanConnection } from './types.ts';

/** Lists of the catalog answer this many when no page is asked for, so that a client that never pages loses nothing. */
const defaultSize = 1_000;

builder.queryField('plans', (t) =>
  t.field({
    type: PlanConnection,
    description: 'Public plans, newest first; hidden ones too when requested.',
    rest: { method: 'GET', path: '/plans', view: 'Plan', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      filter: t.arg({ type: PlanFilter, description: 'Only those that pass this.' }),
      includePrivate: t.arg.boolean({
        rule: { default: false },
        description: 'True lists hidden plans too. Defaults to false.',
      }),
    },
    resolve: (_root, args, ctx) =>
      readPage(ctx, plansThat(args.filter ?? null, args.includePrivate === true), args, { defaultSize }),
  }),
);

builder.queryField('plan', (t) =>
  t.field({
    type: Plan,
    description:
      'One plan by id or code, hidden or not; `plan_not_found` when there is none or it was deleted.',
    rest: { method: 'GET', path: '/plans/{id}', view: 'Plan', errors: ['plan_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the plan, else its code.' }) },
    resolve: (_root, { id }, ctx) => requirePlan(ctx, id),
  }),
);
