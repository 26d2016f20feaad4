import { builder } from '../../graphql/builder.ts';
import { readPage } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { latestRunsFirst, readTestClock, requireRun } from './store.ts';
import { TestClock, TestClockRun, TestClockRunConnection } from './types/test-clock.ts';

builder.queryField('testClock', (t) =>
  t.field({
    type: TestClock,
    description: 'The test clock of the sandbox and its latest run. `sandbox_only` for live keys.',
    rest: { method: 'GET', path: '/test-clock', view: 'TestClock', errors: ['sandbox_only'] },
    access: { scope: 'read', environment: 'sandbox' },
    resolve: (_root, _args, ctx) => readTestClock(ctx),
  }),
);

builder.queryField('testClockRun', (t) =>
  t.field({
    type: TestClockRun,
    description:
      'One run of the test clock; `not_found` when there is no such run, `sandbox_only` for live keys.',
    errors: ['not_found'],
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'Id of the run.' }) },
    resolve: (_root, { id }, ctx) => requireRun(ctx, id),
  }),
);

builder.queryField('testClockRuns', (t) =>
  t.field({
    type: TestClockRunConnection,
    description: 'The runs of the test clock, newest first. `sandbox_only` for live keys.',
    access: { scope: 'read', environment: 'sandbox' },
    args: pageArgs(),
    resolve: (_root, args, ctx) =>
      readPage(ctx, { model: 'TestClockRun', filter: {}, order: latestRunsFirst }, args),
  }),
);
