import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { ExportKind } from './enums.ts';
import { type ExportFile, linkTo } from './sign-link.ts';
import { loadExport } from './store.ts';

const ExportFileType = builder.objectRef<ExportFile>('ExportFile').implement({
  description: 'A file of an export.',
  fields: (t) => ({
    number: t.member('number', 'Int').describe('Number of the file, starting at 1.'),
    name: t.member('name', 'String').describe('File name for saving the file.'),
    rows: t.member('rows', 'SafeInt').describe('Number of rows in the file.'),
    bytes: t.member('bytes', 'SafeInt').describe('Size of the file, in bytes.'),
    url: t
      .member('url', 'String')
      .describe(
        'Download URL. Supports the `Range` header, needs no other credentials, and expires after 1 hour. To get a new URL, fetch the export again.',
      ),
  }),
});

export const Export = builder.prismaObject('Export', {
  ...node({ prefix: 'exp', load: loadExport }),
  description: 'An export of a list or series to files, written in the background.',
  fields: (t) => ({
    ...t.columns('id'),
    kind: t.computed({
      type: ExportKind,
      description: 'Type of data in the export.',
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
    ...t.columns('status'),
    totalRows: t.column('total'),
    ...t.columns('rows', 'bytes'),
    progress: t.computed({
      type: 'Float',
      nullable: true,
      description:
        "Completed fraction of the export, from 0 to 1. `null` if the total number of rows isn't known.",
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
    ...t.columns('error', 'scheduleId'),
    ...t.columns('nextAttemptAt', 'deliveredAt', 'asOf', 'createdAt', 'startedAt', 'finishedAt', 'expiresAt'),
    ...t.resource('export'),
  }),
});

export const ExportConnection = connectionOf('Export', Export, 'exports', 'newest first');

restView(
  'Export',
  'Export',
  'id kind format gzip columns status totalRows rows bytes progress files { number name rows bytes url } error scheduleId nextAttemptAt deliveredAt asOf createdAt startedAt finishedAt expiresAt object livemode',
);
