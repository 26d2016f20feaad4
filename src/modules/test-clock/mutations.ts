import { specificError } from '../../domain/errors.ts';
import { builder } from '../../graphql/builder.ts';
import { advanceClock } from './advance.ts';
import { cancelRun } from './cancel.ts';
import { TestClockRun } from './types/test-clock.ts';

const TestClockAdvanceInput = builder.inputType('TestClockAdvanceInput', {
  description: 'How far to move the clock: exactly one of the two.',
  fields: (t) => ({
    advanceDays: t.float({
      rule: { exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      description: 'Days of 24 hours, fractions allowed and rounded to the millisecond.',
    }),
    frozenTime: t.field({ type: 'DateTime', description: 'The instant to move to, later than the clock.' }),
  }),
});

builder.mutationField('testClockAdvance', (t) =>
  t.field({
    type: TestClockRun,
    description:
      'Begins a durable run that moves the clock and executes every deadline due on the way, the target included. Forward only, at most to the end of the year 9999; `validation_error` while another run is unfinished, `sandbox_only` for live keys.',
    rest: {
      method: 'POST',
      path: '/test-clock',
      status: 202,
      view: 'TestClockRun',
      errors: ['sandbox_only'],
    },
    access: { scope: 'write', environment: 'sandbox' },
    args: { input: t.arg({ type: TestClockAdvanceInput, required: true, description: 'The target.' }) },
    resolve: (_root, { input }, ctx) => advanceClock(ctx, input),
  }),
);

builder.mutationField('testClockProcessBilling', (t) =>
  t.field({
    type: TestClockRun,
    description: 'Retired: always answers `endpoint_deprecated`. Moving the clock executes what is due.',
    rest: {
      method: 'POST',
      path: '/test-clock/process-billing',
      status: 410,
      view: 'TestClockRun',
      errors: ['sandbox_only', 'endpoint_deprecated'],
    },
    access: { scope: 'write', environment: 'sandbox' },
    resolve: () => {
      throw specificError('endpoint_deprecated', 'clock_execution');
    },
  }),
);

const TestClockCancelInput = builder.inputType('TestClockCancelInput', {
  description: 'Which run to end.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the run.' }) }),
});

builder.mutationField('testClockCancel', (t) =>
  t.field({
    type: TestClockRun,
    description:
      'Ends a run after its current batch: it becomes `failed` with the code `canceled`, the clock at the last executed instant. A run that is over stays as it is. `not_found` when there is no such run, `sandbox_only` for live keys.',
    errors: ['not_found'],
    access: { scope: 'write', environment: 'sandbox' },
    args: { input: t.arg({ type: TestClockCancelInput, required: true, description: 'The run.' }) },
    resolve: (_root, { input }, ctx) => cancelRun(ctx, input),
  }),
);
