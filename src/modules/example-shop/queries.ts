import { builder } from '../../graphql/builder.ts';
import { readPage } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { latestRunsFirst } from '../test-clock/store.ts';
import { requireExampleRun } from './store.ts';
import { ExampleRun, ExampleRunConnection } from './types.ts';

builder.queryField('exampleRun', (t) =>
  t.field({
    type: ExampleRun,
    description: 'One example run; `not_found` when there is no such run, `sandbox_only` for live keys.',
    errors: ['not_found'],
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'Id of the run.' }) },
    resolve: (_root, { id }, ctx) => requireExampleRun(ctx, id),
  }),
);

builder.queryField('exampleRuns', (t) =>
  t.field({
    type: ExampleRunConnection,
    description: 'The example runs of the sandbox, newest first. `sandbox_only` for live keys.',
    access: { scope: 'read', environment: 'sandbox' },
    args: pageArgs(),
    resolve: (_root, args, ctx) =>
      readPage(ctx, { model: 'ExampleRun', filter: {}, order: latestRunsFirst }, args),
  }),
);
