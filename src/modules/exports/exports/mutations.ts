import { builder } from '../../../graphql/reading/builder.ts';
import { cancelExport } from './cancel.ts';
import { createExport } from './create.ts';
import { filterOf } from './read-request.ts';
import { requestFields } from './types/request-fields.ts';
import { Export } from './types.ts';

const ExportCreateInput = builder.inputType('ExportCreateInput', {
  description: 'Parameters for creating an export.',
  fields: () => requestFields(),
});

builder.mutationField('exportCreate', (t) =>
  t.field({
    type: Export,
    description:
      "Starts an export, which is written to files in the background. Rows created later aren't included. If a worker stops, another worker continues the export. Up to 3 exports per environment are written at the same time. Other exports are queued. Fails with `forbidden` for financial data if the API key lacks the scope `finance`.",
    rest: { method: 'POST', path: '/exports', view: 'Export', status: 201 },
    access: { scope: ['read', 'write'] },
    args: { input: t.arg({ type: ExportCreateInput, required: true }) },
    resolve: (_root, { input }, ctx, { schema }) => createExport(ctx, schema, input, filterOf(input)),
  }),
);

const ExportCancelInput = builder.inputType('ExportCancelInput', {
  description: 'Parameters for canceling an export.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the export.' }) }),
});

builder.mutationField('exportCancel', (t) =>
  t.field({
    type: Export,
    description:
      "Cancels an export that is queued, running, or being delivered. An export that has ended doesn't change.",
    rest: { method: 'POST', path: '/exports/{id}/cancel', view: 'Export' },
    errors: [['not_found', "the export doesn't exist or contains data that the caller can't read"]],
    access: { scope: ['read', 'write'] },
    args: { input: t.arg({ type: ExportCancelInput, required: true }) },
    resolve: (_root, { input }, ctx) => cancelExport(ctx, input.id),
  }),
);
