import { builder } from '../../graphql/builder.ts';
import { watchRow } from '../../graphql/live.ts';
import { readRun } from '../../infra/clock-rows.ts';
import { isOver, requireRun } from './service.ts';
import { TestClockRun } from './types.ts';

builder.subscriptionField('testClockRunProgress', (t) =>
  t.field({
    type: TestClockRun,
    description:
      'A run as it is at once, also when it is over, then after every batch; completes when the run ends. `not_found` when there is no such run, `sandbox_only` for live keys.',
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'Id of the run.' }) },
    subscribe: async (_root, { id }, context) => {
      await requireRun(context, id);
      return watchRow(context, () => readRun(context.sql, id), isOver);
    },
    resolve: (run) => run,
  }),
);
