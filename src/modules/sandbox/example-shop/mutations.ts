import { builder } from '../../../graphql/reading/builder.ts';
import { TestClock } from '../test-clock/types/test-clock.ts';
import { deleteData } from './delete-data.ts';
import { loadExample } from './load-example.ts';
import { ExampleRun, ExampleSizeType } from './types.ts';

const SandboxExampleLoadInput = builder.inputType('SandboxExampleLoadInput', {
  description: 'Parameters for loading the example shop.',
  fields: (t) => ({
    size: t.field({
      type: ExampleSizeType,
      required: true,
      description:
        'Size of the example shop. Creating `small` takes a few seconds, and creating `full` takes about a minute.',
    }),
  }),
});

builder.mutationField('sandboxExampleLoad', (t) =>
  t.field({
    type: ExampleRun,
    description:
      "Starts a background run that fills the sandbox with an example shop: a catalog, customers, subscriptions paid with test cards, and usage. The run advances the test clock. Objects with the same codes and external IDs aren't changed, so a second run only adds missing objects. Only one example run can be in progress at a time.",
    access: { scope: 'write', environment: 'sandbox' },
    args: { input: t.arg({ type: SandboxExampleLoadInput, required: true }) },
    resolve: (_root, { input }, ctx) => loadExample(ctx, input),
  }),
);

const SandboxResetInput = builder.inputType('SandboxResetInput', {
  description: 'Parameters for resetting the sandbox.',
  fields: (t) => ({
    confirm: t.boolean({
      required: true,
      description: "Confirmation. Must be `true`. You can't undo the reset.",
    }),
  }),
});

builder.mutationField('sandboxReset', (t) =>
  t.field({
    type: TestClock,
    description:
      "Deletes the business data of the sandbox: catalog, customers, subscriptions, invoices, payments, usage, events, emails, and runs. The test clock is reset to real time, and invoice numbers restart from 1. API keys, webhook endpoints, payment connections, tax registrations, and settings are kept, and event positions aren't reset. Not allowed while a test clock run or an example run is unfinished.",
    access: { scope: 'write', environment: 'sandbox', role: 'admin' },
    args: { input: t.arg({ type: SandboxResetInput, required: true }) },
    resolve: (_root, { input }, ctx) => deleteData(ctx, input),
  }),
);
