import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { filterOf } from '../exports/read-request.ts';
import { requestFields } from '../exports/types/request-fields.ts';
import { createSchedule } from './create.ts';
import { deleteSchedule } from './delete.ts';
import { ExportFrequency } from './enums.ts';
import { ExportSchedule } from './types.ts';
import { changeSchedule } from './update.ts';

const deliveryUrl = { maxLength: 4_096, format: 'uri', credentials: true } as const;

const deliveryUrlText =
  "URL to which each file is uploaded with HTTP `PUT`, up to 4,096 characters. Use a signed URL or a URL on your server. `{file}` is replaced with the file name. The same rules apply as for webhook URLs. Fails with `forbidden` if the API key lacks the scope `write` or the member isn't an admin.";

const ExportScheduleCreateInput = builder.inputType('ExportScheduleCreateInput', {
  description: 'Parameters for creating an export schedule.',
  fields: (t) => ({
    ...requestFields(),
    frequency: t.field({ type: ExportFrequency, required: true, description: 'Frequency of the exports.' }),
    isIncremental: t.boolean({
      description:
        "Whether each export contains only rows that were created since the previous export. Changed rows aren't included. Defaults to `false`.",
    }),
    deliveryUrl: t.string({
      rule: deliveryUrl,
      description: `${deliveryUrlText} If omitted, files are only available for download.`,
    }),
  }),
});

builder.mutationField('exportScheduleCreate', (t) =>
  t.field({
    type: ExportSchedule,
    description:
      "Creates a schedule that exports a list every day, week, or month at 00:00 UTC. In a sandbox, the test clock's time applies. If several runs were missed, the export runs once. An environment can have up to 50 schedules. Series can't be scheduled, because their arguments contain dates. Fails with `forbidden` for financial data if the API key lacks the scope `finance`.",
    rest: { method: 'POST', path: '/export-schedules', view: 'ExportSchedule', status: 201 },
    access: { scope: ['read', 'write'] },
    args: {
      input: t.arg({ type: ExportScheduleCreateInput, required: true }),
    },
    resolve: (_root, { input }, ctx, { schema }) => createSchedule(ctx, schema, input, filterOf(input)),
  }),
);

const ExportScheduleUpdateInput = builder.inputType('ExportScheduleUpdateInput', {
  description: "Parameters for updating an export schedule. Omitted fields don't change.",
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the schedule.' }),
    frequency: t.field({ type: ExportFrequency, description: 'Frequency of the exports.' }),
    isActive: t.boolean({
      description:
        'Whether the schedule is enabled. A re-enabled schedule resumes with its next regular run.',
    }),
    deliveryUrl: t.string({
      rule: { ...deliveryUrl, nullable: true },
      description: `${deliveryUrlText} Pending deliveries are sent to the new URL immediately. \`null\` removes the URL.`,
    }),
  }),
});

builder.mutationField('exportScheduleUpdate', (t) =>
  t.field({
    type: ExportSchedule,
    description:
      "Enables or disables a schedule, or changes its frequency or delivery URL. A request that doesn't change anything also succeeds. An incremental schedule continues where its last run ended.",
    rest: { method: 'PATCH', path: '/export-schedules/{id}', view: 'ExportSchedule' },
    errors: ['not_found'],
    access: { scope: ['read', 'write'] },
    args: { input: t.arg({ type: ExportScheduleUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => changeSchedule(ctx, input),
  }),
);

deletionField('exportScheduleDelete', {
  of: 'an export schedule',
  reference: 'ID of the schedule.',
  description: 'Permanently deletes a schedule. Exports that the schedule started are kept.',
  path: '/export-schedules/{id}',
  errors: ['not_found'],
  access: { scope: ['read', 'write'] },
  delete: (ctx, id) => deleteSchedule(ctx, id),
});
