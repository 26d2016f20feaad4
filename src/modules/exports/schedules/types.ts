import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { ExportFormat, ExportKind } from '../exports/enums.ts';
import { shownAddress } from './check-address.ts';
import { ExportFrequency } from './enums.ts';
import { loadSchedule } from './store.ts';

export const ExportSchedule = builder.prismaObject('ExportSchedule', {
  ...node({ prefix: 'exs', load: loadSchedule }),
  description: 'Schedule that exports a list every day, week, or month.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.computed({
      type: ExportKind,
      description: 'Type of data to export.',
      columns: ['kind'],
      resolve: ({ kind }) => kind as typeof ExportKind.$inferType,
    }),
    format: t.expose('format', { type: ExportFormat }),
    gzip: t.exposeBoolean('isGzip'),
    columns: t.computed({
      type: ['String'],
      description: 'Selected columns, in order. Empty if all columns were selected.',
      columns: ['request'],
      resolve: ({ request }) => [...request.columns],
    }),
    frequency: t.expose('frequency', { type: ExportFrequency }),
    isIncremental: t.exposeBoolean('isIncremental'),
    isActive: t.exposeBoolean('isActive'),
    nextRunAt: t.expose('nextRunAt', {
      type: 'DateTime',
      description: "Time of the next run. In a sandbox, the test clock's time.",
    }),
    lastRunAt: t.expose('lastRunAt', {
      type: 'DateTime',
      nullable: true,
      description:
        "Time of the last run. In a sandbox, the test clock's time. `null` if the schedule hasn't run yet.",
    }),
    lastExportId: t.exposeID('lastExportId', {
      nullable: true,
      description: "ID of the last export. `null` if the schedule hasn't run yet.",
    }),
    deliveryUrl: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Upload URL for the files, without its query string, which may contain a signature. `null` if files are only available for download.',
      columns: ['sealedUrl'],
      resolve: ({ sealedUrl }, _args, ctx) =>
        sealedUrl === null ? null : shownAddress(ctx.app.secrets.decrypt(sealedUrl)),
    }),
    deliveryFailures: t.exposeInt('failedInRow', {
      description:
        "Number of consecutive exports that couldn't be delivered. The schedule is disabled after 3.",
    }),
    deliveryError: t.exposeString('deliveryError', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    object: t.string({ description: 'Always `export_schedule`.', resolve: () => 'export_schedule' }),
    livemode: t.livemode(),
  }),
});

export const ExportScheduleConnection = connectionOf(
  'ExportSchedule',
  ExportSchedule,
  'export schedules',
  'newest first',
);

restView(
  'ExportSchedule',
  'ExportSchedule',
  'id kind format gzip columns frequency isIncremental isActive nextRunAt lastRunAt lastExportId deliveryUrl deliveryFailures deliveryError createdAt updatedAt object livemode',
);
