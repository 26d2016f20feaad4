import { specificError } from '../../../domain/errors/errors.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { advanceClock } from './advance.ts';
import { cancelRun } from './cancel.ts';
import { TestClockRun } from './types/test-clock.ts';

const TestClockAdvanceInput = builder.inputType('TestClockAdvanceInput', {
  description: 'Parameters for advancing the test clock. Exactly one field is required.',
  fields: (t) => ({
    advanceDays: t.float({
      rule: { exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      description: 'Number of days to advance, 24 hours each. Fractions are rounded to the millisecond.',
    }),
    frozenTime: t.field({
      type: 'DateTime',
      description: "Time to advance to. Must be later than the test clock's time.",
    }),
  }),
});

builder.mutationField('testClockAdvance', (t) =>
  t.field({
    type: TestClockRun,
    description:
      'Starts a background run that advances the test clock and executes every deadline up to and including the target time. The clock only moves forward, up to the end of the year 9999. Fails with `validation_error` while another run is unfinished.',
    rest: {
      method: 'POST',
      path: '/test-clock',
      status: 202,
      view: 'TestClockRun',
    },
    errors: ['sandbox_only'],
    access: { scope: 'write', environment: 'sandbox' },
    args: { input: t.arg({ type: TestClockAdvanceInput, required: true }) },
    resolve: (_root, { input }, ctx) => advanceClock(ctx, input),
  }),
);

builder.mutationField('testClockProcessBilling', (t) =>
  t.field({
    type: TestClockRun,
    description:
      'Deprecated. Always fails with `endpoint_deprecated`, because advancing the test clock executes all due deadlines.',
    rest: {
      method: 'POST',
      path: '/test-clock/process-billing',
      status: 410,
      view: 'TestClockRun',
    },
    errors: ['sandbox_only', 'endpoint_deprecated'],
    access: { scope: 'write', environment: 'sandbox' },
    resolve: () => {
      throw specificError('endpoint_deprecated', 'clock_execution');
    },
  }),
);

const TestClockCancelInput = builder.inputType('TestClockCancelInput', {
  description: 'Parameters for canceling a run of the test clock.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the run.' }) }),
});

builder.mutationField('testClockCancel', (t) =>
  t.field({
    type: TestClockRun,
    description:
      "Cancels a test clock run after its current batch of deadlines. The run ends as `failed` with the code `canceled`, and the clock stays at the time of the last executed deadline. A finished run doesn't change.",
    errors: [['not_found', "the run doesn't exist"]],
    access: { scope: 'write', environment: 'sandbox' },
    args: { input: t.arg({ type: TestClockCancelInput, required: true }) },
    resolve: (_root, { input }, ctx) => cancelRun(ctx, input),
  }),
);
