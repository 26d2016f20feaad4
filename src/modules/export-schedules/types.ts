import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { ExportFormat, ExportKind } from '../exports/enums.ts';
import { shownAddress } from './check-address.ts';
import { ExportFrequency } from './enums.ts';
import { loadSchedule } from './store.ts';

export const ExportSchedule = builder.prismaObject('ExportSchedule', {
  ...node({ prefix: 'exs', load: loadSchedule }),
  description: 'A list that is exported again and again.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `exs_…`.' }),
    kind: t.computed({
      type: ExportKind,
      description: 'The list.',
      columns: ['kind'],
      resolve: ({ kind }) => kind as typeof ExportKind.$inferType,
    }),
    format: t.expose('format', { type: ExportFormat, description: 'The format.' }),
    gzip: t.exposeBoolean('isGzip', { description: 'Whether its files are compressed.' }),
    columns: t.computed({
      type: ['String'],
      description: 'The columns that were chosen, in their order; empty for all.',
      columns: ['request'],
      resolve: ({ request }) => [...request.columns],
    }),
    frequency: t.expose('frequency', { type: ExportFrequency, description: 'How often it runs.' }),
    isIncremental: t.exposeBoolean('isIncremental', {
      description: 'Whether a run has only the rows that were made since the last one.',
    }),
    isActive: t.exposeBoolean('isActive', { description: 'Whether it runs; false while it is paused.' }),
    nextRunAt: t.expose('nextRunAt', {
      type: 'DateTime',
      description: 'When it is due next, in business time.',
    }),
    lastRunAt: t.expose('lastRunAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ran last, in business time; null before the first run.',
    }),
    lastExportId: t.exposeID('lastExportId', {
      nullable: true,
      description: 'The export of the last run; null before the first.',
    }),
    deliveryUrl: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Where its files are put, without the query, which may hold a signature; null where they are only downloaded.',
      columns: ['sealedUrl'],
      resolve: ({ sealedUrl }, _args, ctx) =>
        sealedUrl === null ? null : shownAddress(ctx.app.secrets.decrypt(sealedUrl)),
    }),
    deliveryFailures: t.exposeInt('failedInRow', {
      description: 'Exports in a row that could not be delivered; after 3 of them it is paused.',
    }),
    deliveryError: t.exposeString('deliveryError', {
      nullable: true,
      description: 'Why the last one could not be; null unless it was so.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was changed last.' }),
    object: t.string({ description: 'Always `export_schedule`.', resolve: () => 'export_schedule' }),
    livemode: t.livemode(),
  }),
});

export const ExportScheduleConnection = connectionOf(
  'ExportSchedule',
  ExportSchedule,
  'schedules of exports',
  'newest first',
);

restView(
  'ExportSchedule',
  'ExportSchedule',
  'id kind format gzip columns frequency isIncremental isActive nextRunAt lastRunAt lastExportId deliveryUrl deliveryFailures deliveryError createdAt updatedAt object livemode',
);
