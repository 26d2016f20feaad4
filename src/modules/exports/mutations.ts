import { builder } from '../../graphql/builder.ts';
import { cancelExport } from './cancel.ts';
import { createExport } from './create.ts';
import { filterOf } from './read-request.ts';
import { requestFields } from './types/request-fields.ts';
import { Export } from './types.ts';

const ExportCreateInput = builder.inputType('ExportCreateInput', {
  description: 'What to write.',
  fields: () => requestFields(),
});

builder.mutationField('exportCreate', (t) =>
  t.field({
    type: Export,
    description:
      'Begins to write a list to a file in the background. Rows made later are left out, and a worker that ends is replaced by another one, which goes on. Three exports of an environment are written at a time; others wait. `forbidden` for a key without `finance` where the kind has money.',
    rest: { method: 'POST', path: '/exports', view: 'Export', status: 201 },
    access: { scope: 'read' },
    args: { input: t.arg({ type: ExportCreateInput, required: true, description: 'What to write.' }) },
    resolve: (_root, { input }, ctx, { schema }) => createExport(ctx, schema, input, filterOf(input)),
  }),
);

const ExportCancelInput = builder.inputType('ExportCancelInput', {
  description: 'Which export to cancel.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its id.' }) }),
});

builder.mutationField('exportCancel', (t) =>
  t.field({
    type: Export,
    description:
      'Cancels an export that waits, is being written or delivered; one that has ended stays as it is. `not_found` when there is none, or none the caller may have.',
    rest: { method: 'POST', path: '/exports/{id}/cancel', view: 'Export', errors: ['not_found'] },
    access: { scope: 'read' },
    args: { input: t.arg({ type: ExportCancelInput, required: true, description: 'The export.' }) },
    resolve: (_root, { input }, ctx) => cancelExport(ctx, input.id),
  }),
);
