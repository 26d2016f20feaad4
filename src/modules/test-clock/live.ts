import { builder } from '../../graphql/builder.ts';
import { watch } from '../../graphql/live.ts';
import { isOver, readClock, readRun, requireRun } from './store.ts';
import { TestClock, TestClockRun } from './types/test-clock.ts';

builder.subscriptionField('testClockRunProgress', (t) =>
  t.field({
    type: TestClockRun,
    description:
      'A run as it is now, also when it is over, then after every batch; completes when the run ends. `not_found` when there is no such run, `sandbox_only` for live keys.',
    errors: ['not_found'],
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'Id of the run.' }) },
    subscribe: async (_root, { id }, ctx) => {
      await requireRun(ctx, id);
      return watch(ctx, (present) => present.once(`run:${id}`, () => readRun(present.sql, id)), isOver);
    },
    resolve: (run) => run,
  }),
);

builder.subscriptionField('testClockChanged', (t) =>
  t.field({
    type: TestClock,
    description:
      'The test clock of the sandbox and its latest run as they are now, then after every change: when a run begins, wherever it was requested, after every batch of it, and when it ends. `sandbox_only` for live keys.',
    access: { scope: 'read', environment: 'sandbox' },
    subscribe: (_root, _args, ctx) =>
      watch(ctx, (present) => present.once('test clock', () => readClock(present.sql))),
    resolve: (clock, _args, ctx) => ({ ...clock, now: clock.simulatedTime ?? ctx.wall.now() }),
  }),
);
