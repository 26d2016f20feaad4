import { builder } from '../../../graphql/reading/builder.ts';
import { replayRequest } from './resend.ts';
import { RequestReplay } from './types.ts';

const RequestValueInput = builder.inputType('RequestValueInput', {
  description: 'Value that replaces a masked value of a request body.',
  fields: (t) => ({
    pointer: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 500 },
      description: 'JSON pointer of the masked value in the request body, such as `/email`.',
    }),
    value: t.string({ required: true, description: 'New value.' }),
  }),
});

const RequestReplayInput = builder.inputType('RequestReplayInput', {
  description: 'Parameters for repeating a recorded request.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Request ID.' }),
    values: t.field({
      type: [RequestValueInput],
      rule: { maxItems: 100 },
      description: 'Values for the masked values of the request body. Up to 100 values.',
    }),
    dryRun: t.boolean({
      description:
        'Whether to run a request that writes as a dry run. Requests that read are never dry runs. Defaults to `true`.',
    }),
  }),
});

builder.mutationField('requestReplay', (t) =>
  t.field({
    type: RequestReplay,
    description:
      "Sends a recorded request again, with the permissions of the caller and a new idempotency key. Fails with `sandbox_only` if the request writes in the live environment. Fails with `validation_error` if a masked value isn't replaced, if the entry combines requests or is an export stream, or if the body was cut off.",
    rest: {
      method: 'POST',
      path: '/request-log/{id}/replay',
      view: 'RequestReplay',
      // The repeated request has its own transaction.
      idempotency: 'around-provider-call',
    },
    errors: ['not_found', ['sandbox_only', 'the request writes in the live environment']],
    access: { scope: ['read', 'write', 'keys'], role: 'admin' },
    args: { input: t.arg({ type: RequestReplayInput, required: true }) },
    resolve: (_root, { input }, ctx) =>
      replayRequest(ctx, String(input.id), { values: input.values ?? [], dryRun: input.dryRun ?? null }),
  }),
);
