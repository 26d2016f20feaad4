import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { isOver, readClock, readRun, requireRun } from './store.ts';
import { TestClock, TestClockRun } from './types/test-clock.ts';

builder.subscriptionField('testClockRunProgress', (t) =>
  t.field({
    type: TestClockRun,
    description:
      'Emits a test clock run immediately and after every batch of deadlines. Completes when the run ends. A run that has already ended is emitted once.',
    errors: [['not_found', "the run doesn't exist"]],
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'ID of the run.' }) },
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
      "Emits the sandbox's test clock with its latest run, immediately and on every change. Changes occur when a run starts, after each batch of a run, and when a run ends.",
    access: { scope: 'read', environment: 'sandbox' },
    subscribe: (_root, _args, ctx) =>
      watch(ctx, (present) => present.once('test clock', () => readClock(present.sql))),
    resolve: (clock, _args, ctx) => ({ ...clock, now: clock.simulatedTime ?? ctx.wall.now() }),
  }),
);
