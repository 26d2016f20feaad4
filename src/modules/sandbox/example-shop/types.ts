import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { progressOf, readRun } from '../test-clock/store.ts';
import { TestClockRun } from '../test-clock/types/test-clock.ts';
import type { ExampleRunRow } from './store.ts';

export const ExampleSizeType = builder.enumType('ExampleSize', {
  description: 'Size of the example shop.',
  values: {
    small: {
      description:
        'One customer for each combination of plan, interval, and card behavior, about 20 in total, over 3 months.',
    },
    full: { description: '300 customers with usage and billing over one year.' },
  } as const,
});

const ExampleRunStatusType = builder.enumType('ExampleRunStatus', {
  description: 'Status of an example run.',
  values: {
    running: { description: 'The run is in progress.' },
    completed: { description: 'The example shop was created.' },
    failed: { description: 'A step was rejected. Objects created by earlier steps are kept.' },
  } as const,
});

const ExampleRunErrorType = builder.objectRef<Stored.ExampleRunError>('ExampleRunError').implement({
  description: 'Reason why an example run failed.',
  fields: (t) => ({
    code: t.member('code', 'String').describe('Error code of the failed step.'),
    message: t.member('message', 'String').describe('Error message of the failed step.'),
    step: t.member('step', 'Int').describe('Number of the failed step, starting from 1.'),
  }),
});

export const ExampleRun = builder.objectRef<ExampleRunRow>('ExampleRun');

ExampleRun.implement({
  ...node({ prefix: 'exr', access: { scope: 'read', environment: 'sandbox' }, model: 'ExampleRun' }),
  description:
    'A background run that fills the sandbox with the example shop. The run continues after a restart of the service.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `exr_`.'),
    size: t.member('size', ExampleSizeType).describe('Size of the example shop.'),
    status: t.member('status', ExampleRunStatusType).describe('Status of the run.'),
    completedSteps: t.member('completedSteps', 'Int').describe('Number of completed steps.'),
    totalSteps: t
      .member('totalSteps', 'Int')
      .describe(
        'Total number of steps. The steps create the catalog and each customer, record usage, and advance the test clock.',
      ),
    progress: t.float({
      description: 'Completed fraction of the run, from 0 to 1. Exactly 1 once the run is completed.',
      resolve: async ({ status, completedSteps, totalSteps, clockRunId }, _args, ctx) => {
        if (status === 'completed') return 1;
        const clockRun = clockRunId === null ? null : await readRun(ctx.sql, clockRunId);
        // The completed steps include a clock step as soon as its clock run starts, so subtract the unfinished part of the clock run.
        const left = clockRun === null ? 0 : 1 - progressOf(clockRun);
        return Math.min(0.999, (completedSteps - left) / totalSteps);
      },
    }),
    clockRun: t.field({
      type: TestClockRun,
      nullable: true,
      description:
        "Latest test clock run that the example run started. `null` if the example run hasn't started a test clock run yet.",
      resolve: ({ clockRunId }, _args, ctx) => (clockRunId === null ? null : readRun(ctx.sql, clockRunId)),
    }),
    error: t
      .maybe('error', ExampleRunErrorType)
      .describe('Reason for the failure. `null` unless the run failed.'),
    createdAt: t
      .member('createdAt', 'DateTime')
      .describe("Time at which the run was requested. Always real time, never the test clock's time."),
    finishedAt: t
      .maybe('finishedAt', 'DateTime')
      .describe(
        "Time at which the run ended. Always real time, never the test clock's time. `null` if the run is in progress.",
      ),
    livemode: t.boolean({
      description: 'Always `false`. Example runs exist only in a sandbox.',
      resolve: (_run, _args, ctx) => ctx.livemode,
    }),
  }),
});

export const ExampleRunConnection = connectionOf('ExampleRun', ExampleRun, 'example runs', 'newest first');
