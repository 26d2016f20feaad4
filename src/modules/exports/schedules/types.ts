import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { ExportKind } from '../exports/enums.ts';
import { shownAddress } from './check-address.ts';
import { loadSchedule } from './store.ts';

export const ExportSchedule = builder.prismaObject('ExportSchedule', {
  ...node({ prefix: 'exs', load: loadSchedule }),
  description: 'Schedule that exports a list every day, week, or month.',
  fields: (t) => ({
    ...t.columns('id'),
    kind: t.computed({
      type: ExportKind,
      description: 'Type of data to export.',
      columns: ['kind'],
      resolve: ({ kind }) => kind as typeof ExportKind.$inferType,
    }),
    ...t.columns('format'),
    gzip: t.column('isGzip'),
    columns: t.computed({
      type: ['String'],
      description: 'Names of the columns in the files, in order. Empty if the files contain all columns.',
      columns: ['request'],
      resolve: ({ request }) => [...request.columns],
    }),
    ...t.columns('frequency', 'isIncremental', 'isActive'),
    ...t.columns('nextRunAt', 'lastRunAt', 'lastExportId'),
    deliveryUrl: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Upload URL for the files, without its query string, which may contain a signature. `null` if files are only available for download.',
      columns: ['sealedUrl'],
      resolve: ({ sealedUrl }, _args, ctx) =>
        sealedUrl === null ? null : shownAddress(ctx.app.secrets.decrypt(sealedUrl)),
    }),
    deliveryFailures: t.column('failedInRow'),
    ...t.columns('deliveryError', 'createdAt', 'updatedAt'),
    ...t.resource('export_schedule'),
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
