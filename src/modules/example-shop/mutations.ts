import { builder } from '../../graphql/builder.ts';
import { TestClock } from '../test-clock/types/test-clock.ts';
import { deleteData } from './delete-data.ts';
import { loadExample } from './load-example.ts';
import { ExampleRun, ExampleSizeType } from './types.ts';

const SandboxExampleLoadInput = builder.inputType('SandboxExampleLoadInput', {
  description: 'How much of the example shop to create.',
  fields: (t) => ({
    size: t.field({
      type: ExampleSizeType,
      required: true,
      description: '`small` is there in seconds, `full` in about a minute.',
    }),
  }),
});

builder.mutationField('sandboxExampleLoad', (t) =>
  t.field({
    type: ExampleRun,
    description:
      'Begins a durable run that fills the sandbox with an example shop: a catalog, customers, subscriptions paid with test cards, usage, and a stretch of time on the test clock, which is moved forward. What exists under the same codes and external ids is left as it is, so that a second run adds what is missing. `validation_error` while another run is unfinished, `sandbox_only` for live keys.',
    access: { scope: 'write', environment: 'sandbox' },
    args: { input: t.arg({ type: SandboxExampleLoadInput, required: true, description: 'The size.' }) },
    resolve: (_root, { input }, ctx) => loadExample(ctx, input),
  }),
);

const SandboxResetInput = builder.inputType('SandboxResetInput', {
  description: 'A confirmation.',
  fields: (t) => ({
    confirm: t.boolean({
      required: true,
      description: 'Must be true: nothing that was deleted comes back.',
    }),
  }),
});

builder.mutationField('sandboxReset', (t) =>
  t.field({
    type: TestClock,
    description:
      'Deletes the business data of the sandbox, all or nothing: catalog, customers, subscriptions, invoices, payments, usage, events, emails, runs. Its clock is set back to real time, and invoices are numbered from 1 again. API keys, webhook endpoints, payment connections, tax registrations and settings stay; events keep their positions. `validation_error` without `confirm`, and while a run of the clock or an example run is unfinished; `sandbox_only` for live keys.',
    access: { scope: 'write', environment: 'sandbox', role: 'admin' },
    args: { input: t.arg({ type: SandboxResetInput, required: true, description: 'The confirmation.' }) },
    resolve: (_root, { input }, ctx) => deleteData(ctx, input),
  }),
);
