import { builder } from '../../graphql/builder.ts';
import { watchRow } from '../../graphql/live.ts';
import { isOver, readRun, requireRun } from './store.ts';
import { TestClockRun } from './types/test-clock.ts';

builder.subscriptionField('testClockRunProgress', (t) =>
  t.field({
    type: TestClockRun,
    description:
      'A run as it is now, also when it is over, then after every batch; completes when the run ends. `not_found` when there is no such run, `sandbox_only` for live keys.',
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'Id of the run.' }) },
    subscribe: async (_root, { id }, ctx) => {
      await requireRun(ctx, id);
      return watchRow(ctx, () => readRun(ctx.sql, id), isOver);
    },
    resolve: (run) => run,
  }),
);
