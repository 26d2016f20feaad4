import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { ExportFormat, ExportKind, ExportStatus } from './enums.ts';
import { type ExportFile, linkTo } from './sign-link.ts';
import { loadExport } from './store.ts';

const ExportFileType = builder.objectRef<ExportFile>('ExportFile').implement({
  description: 'A file of an export.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Number of the file, starting at 1.' }),
    name: t.exposeString('name', { description: 'File name for saving the file.' }),
    rows: t.expose('rows', { type: 'SafeInt', description: 'Number of rows in the file.' }),
    bytes: t.expose('bytes', { type: 'SafeInt', description: 'Size of the file, in bytes.' }),
    url: t.exposeString('url', {
      description:
        'Download URL. Supports the `Range` header, needs no other credentials, and expires after 1 hour. To get a new URL, fetch the export again.',
    }),
  }),
});

export const Export = builder.prismaObject('Export', {
  ...node({ prefix: 'exp', load: loadExport }),
  description: 'An export of a list or series to files, written in the background.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.computed({
      type: ExportKind,
      description: 'Type of data in the export.',
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
    status: t.expose('status', { type: ExportStatus }),
    totalRows: t.expose('total', {
      type: 'SafeInt',
      nullable: true,
      description:
        "Number of rows to write. `null` if the export hasn't started yet or has more than 5,000,000 rows.",
    }),
    rows: t.expose('rows', { type: 'SafeInt', description: 'Number of rows written so far.' }),
    bytes: t.expose('bytes', { type: 'SafeInt', description: 'Number of bytes written so far.' }),
    progress: t.computed({
      type: 'Float',
      nullable: true,
      description: "Progress from 0 to 1. `null` if the total number of rows isn't known.",
      columns: ['status', 'total', 'rows'],
      resolve: ({ status, total, rows }) => {
        if (status === 'completed' || status === 'delivering' || total === 0n) return 1;
        return total === null ? null : Math.min(0.999, Number(rows) / Number(total));
      },
    }),
    files: t.computed({
      type: [ExportFileType],
      description:
        'Files of the export. An export with more than 50,000,000 rows or 10 GiB is split into several files. Empty until every file is written, and after the export expires.',
      columns: ['id', 'kind', 'format', 'isGzip', 'status', 'parts', 'expiresAt', 'createdAt'],
      resolve: (row, _args, ctx) => linkTo(ctx, row),
    }),
    error: t.exposeString('error', {
      nullable: true,
      description:
        'Reason for the failure. During delivery, the reason why the last delivery attempt failed. `null` otherwise.',
    }),
    scheduleId: t.exposeID('scheduleId', { nullable: true }),
    nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime', nullable: true }),
    deliveredAt: t.expose('deliveredAt', { type: 'DateTime', nullable: true }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description:
        "Time at which the export started. In a sandbox, the test clock's time. Rows created later aren't included. If a row changes during the export, the file contains the version that the export read.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    object: t.string({ description: 'Always `export`.', resolve: () => 'export' }),
    livemode: t.livemode(),
  }),
});

export const ExportConnection = connectionOf('Export', Export, 'exports', 'newest first');

restView(
  'Export',
  'Export',
  'id kind format gzip columns status totalRows rows bytes progress files { number name rows bytes url } error scheduleId nextAttemptAt deliveredAt asOf createdAt startedAt finishedAt expiresAt object livemode',
);
