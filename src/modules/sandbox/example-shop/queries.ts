import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { latestRunsFirst } from '../test-clock/store.ts';
import { requireExampleRun } from './store.ts';
import { ExampleRun, ExampleRunConnection } from './types.ts';

builder.queryField('exampleRun', (t) =>
  t.field({
    type: ExampleRun,
    description: 'Returns an example run.',
    errors: [['not_found', "the run doesn't exist"]],
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'ID of the run.' }) },
    resolve: (_root, { id }, ctx) => requireExampleRun(ctx, id),
  }),
);

builder.queryField('exampleRuns', (t) =>
  t.field({
    type: ExampleRunConnection,
    description: 'Lists the example runs of the sandbox, newest first.',
    access: { scope: 'read', environment: 'sandbox' },
    args: pageArgs(),
    resolve: (_root, args, ctx) =>
      readPage(ctx, { model: 'ExampleRun', filter: {}, order: latestRunsFirst }, args),
  }),
);
