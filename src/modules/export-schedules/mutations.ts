import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { filterOf } from '../exports/read-request.ts';
import { requestFields } from '../exports/types/request-fields.ts';
import { createSchedule } from './create.ts';
import { deleteSchedule } from './delete.ts';
import { ExportFrequency } from './enums.ts';
import { ExportSchedule } from './types.ts';
import { changeSchedule } from './update.ts';

const deliveryUrl = { maxLength: 4_096, format: 'uri', credentials: true } as const;

const deliveryUrlText =
  'Where each file is put by HTTP `PUT`, up to 4 096 characters: a signed address, or one of a server of yours. `{file}` in it stands for the name of the file. Rules of webhook addresses apply, and so do the rights to make one: `forbidden` without the scope `write`, and for members below admin.';

const ExportScheduleCreateInput = builder.inputType('ExportScheduleCreateInput', {
  description: 'What to write again and again.',
  fields: (t) => ({
    ...requestFields(),
    frequency: t.field({ type: ExportFrequency, required: true, description: 'How often.' }),
    isIncremental: t.boolean({
      description:
        'Whether each run has only the rows that were made since the last one; rows that only changed are not among them. Defaults to false.',
    }),
    deliveryUrl: t.string({
      rule: deliveryUrl,
      description: `${deliveryUrlText} Left out, files are only downloaded.`,
    }),
  }),
});

builder.mutationField('exportScheduleCreate', (t) =>
  t.field({
    type: ExportSchedule,
    description:
      'Exports a list every day, week or month, at 00:00 UTC of business time, each time as `exportCreate` does. What was due several times is made up for by one run. `validation_error` for a series, whose arguments name days, and for the 51st schedule of an environment. `forbidden` for a key without `finance` where the kind has money.',
    rest: { method: 'POST', path: '/export-schedules', view: 'ExportSchedule', status: 201 },
    access: { scope: 'read' },
    args: {
      input: t.arg({ type: ExportScheduleCreateInput, required: true, description: 'The schedule.' }),
    },
    resolve: (_root, { input }, ctx, { schema }) => createSchedule(ctx, schema, input, filterOf(input)),
  }),
);

const ExportScheduleUpdateInput = builder.inputType('ExportScheduleUpdateInput', {
  description: 'Changes of a schedule; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Its id.' }),
    frequency: t.field({ type: ExportFrequency, description: 'How often it runs.' }),
    isActive: t.boolean({ description: 'False pauses it; true lets it run again, from its next time on.' }),
    deliveryUrl: t.string({
      rule: { ...deliveryUrl, nullable: true },
      description: `${deliveryUrlText} What waits to be delivered goes there at once; null takes the address away.`,
    }),
  }),
});

builder.mutationField('exportScheduleUpdate', (t) =>
  t.field({
    type: ExportSchedule,
    description:
      'Pauses a schedule, lets it run again, or changes how often it runs and where its files go. Naming nothing is accepted and changes nothing. An incremental one goes on where its last run ended.',
    rest: { method: 'PATCH', path: '/export-schedules/{id}', view: 'ExportSchedule', errors: ['not_found'] },
    access: { scope: 'read' },
    args: { input: t.arg({ type: ExportScheduleUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => changeSchedule(ctx, input),
  }),
);

const ExportScheduleDeleteInput = builder.inputType('ExportScheduleDeleteInput', {
  description: 'Which schedule to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its id.' }) }),
});

builder.mutationField('exportScheduleDelete', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Deletes a schedule permanently. The exports it made stay.',
    rest: { method: 'DELETE', path: '/export-schedules/{id}', view: 'DeletedObject', errors: ['not_found'] },
    access: { scope: 'read' },
    args: { input: t.arg({ type: ExportScheduleDeleteInput, required: true, description: 'The schedule.' }) },
    resolve: (_root, { input }, ctx) => deleteSchedule(ctx, input.id),
  }),
);
