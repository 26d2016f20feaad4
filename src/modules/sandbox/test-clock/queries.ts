import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { latestRunsFirst, readTestClock, requireRun } from './store.ts';
import { TestClock, TestClockRun, TestClockRunConnection } from './types/test-clock.ts';

builder.queryField('testClock', (t) =>
  t.field({
    type: TestClock,
    description: 'Returns the test clock of the sandbox and its latest run.',
    rest: { method: 'GET', path: '/test-clock', view: 'TestClock' },
    errors: ['sandbox_only'],
    access: { scope: 'read', environment: 'sandbox' },
    resolve: (_root, _args, ctx) => readTestClock(ctx),
  }),
);

builder.queryField('testClockRun', (t) =>
  t.field({
    type: TestClockRun,
    description: 'Returns a run of the test clock.',
    errors: [['not_found', "the run doesn't exist"]],
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'ID of the run.' }) },
    resolve: (_root, { id }, ctx) => requireRun(ctx, id),
  }),
);

builder.queryField('testClockRuns', (t) =>
  t.field({
    type: TestClockRunConnection,
    description: 'Lists the runs of the test clock, newest first.',
    access: { scope: 'read', environment: 'sandbox' },
    args: pageArgs(),
    resolve: (_root, args, ctx) =>
      readPage(ctx, { model: 'TestClockRun', filter: {}, order: latestRunsFirst }, args),
  }),
);
