import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { progressOf, readRun } from '../test-clock/store.ts';
import { TestClockRun } from '../test-clock/types/test-clock.ts';
import type { ExampleRunRow } from './store.ts';

export const ExampleSizeType = builder.enumType('ExampleSize', {
  description: 'How much of the example shop is created.',
  values: {
    small: { description: 'One customer of each kind, about twenty, and three months.' },
    full: { description: 'All 300 customers and a year.' },
  } as const,
});

const ExampleRunStatusType = builder.enumType('ExampleRunStatus', {
  description: 'How far an example run has come.',
  values: {
    running: { description: 'On its way.' },
    completed: { description: 'The shop is there.' },
    failed: { description: 'A step was rejected; what was created before it stays.' },
  } as const,
});

const ExampleRunErrorType = builder.objectRef<Stored.ExampleRunError>('ExampleRunError').implement({
  description: 'Why an example run could not go on.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Code of the rejection.' }),
    message: t.exposeString('message', { description: 'The reason as a sentence.' }),
    step: t.exposeInt('step', { description: 'The step that was rejected, from 1 on.' }),
  }),
});

export const ExampleRun = builder.objectRef<ExampleRunRow>('ExampleRun');

ExampleRun.implement({
  ...node({ prefix: 'exr', access: { scope: 'read', environment: 'sandbox' }, model: 'ExampleRun' }),
  description:
    'One durable filling of the sandbox with the example shop. It survives restarts and continues where it stopped.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `exr_…`.' }),
    size: t.expose('size', { type: ExampleSizeType, description: 'How much is created.' }),
    status: t.expose('status', { type: ExampleRunStatusType, description: 'How far it has come.' }),
    completedSteps: t.exposeInt('completedSteps', { description: 'Steps done.' }),
    totalSteps: t.exposeInt('totalSteps', {
      description: 'All steps: the catalog, each customer, then usage and moves of the clock.',
    }),
    progress: t.float({
      description: 'The part of the steps that is done, from 0 to 1: exactly 1 once the run is completed.',
      resolve: async ({ status, completedSteps, totalSteps, clockRunId }, _args, ctx) => {
        if (status === 'completed') return 1;
        const clockRun = clockRunId === null ? null : await readRun(ctx.sql, clockRunId);
        // The move of the clock was counted when it began.
        const left = clockRun === null ? 0 : 1 - progressOf(clockRun);
        return Math.min(0.999, (completedSteps - left) / totalSteps);
      },
    }),
    clockRun: t.field({
      type: TestClockRun,
      nullable: true,
      description: 'The run of the test clock it began last; null before the first.',
      resolve: ({ clockRunId }, _args, ctx) => (clockRunId === null ? null : readRun(ctx.sql, clockRunId)),
    }),
    error: t.field({
      type: ExampleRunErrorType,
      nullable: true,
      description: 'Why the run could not go on; null unless it is `failed`.',
      resolve: ({ error }) => error,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was requested, in real time.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, in real time; null while it runs.',
    }),
    livemode: t.boolean({
      description: 'Always false: only a sandbox is filled.',
      resolve: (_run, _args, ctx) => ctx.livemode,
    }),
  }),
});

export const ExampleRunConnection = connectionOf('ExampleRun', ExampleRun, 'example runs', 'newest first');
