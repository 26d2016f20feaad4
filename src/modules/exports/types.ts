import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { ExportFormat, ExportKind, ExportStatus } from './enums.ts';
import { type ExportFile, linkTo } from './sign-link.ts';
import { loadExport } from './store.ts';

const ExportFileType = builder.objectRef<ExportFile>('ExportFile').implement({
  description: 'A file of an export.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: '1 for the first.' }),
    name: t.exposeString('name', { description: 'What it is called when it is saved.' }),
    rows: t.expose('rows', { type: 'SafeInt', description: 'Rows in it.' }),
    bytes: t.expose('bytes', { type: 'SafeInt', description: 'Its size.' }),
    url: t.exposeString('url', {
      description:
        'Where it is read, in parts with the header `Range` if need be. The address needs no further credentials and is good for an hour; ask for the export again for another one.',
    }),
  }),
});

export const Export = builder.prismaObject('Export', {
  ...node({ prefix: 'exp', load: loadExport }),
  description: 'A list as a file, written in the background.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `exp_…`.' }),
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
    status: t.expose('status', { type: ExportStatus, description: 'How far it has come.' }),
    totalRows: t.expose('total', {
      type: 'SafeInt',
      nullable: true,
      description: 'Rows there are to write; null before it begins, and where there are more than 5 000 000.',
    }),
    rows: t.expose('rows', { type: 'SafeInt', description: 'Rows written.' }),
    bytes: t.expose('bytes', { type: 'SafeInt', description: 'Bytes written.' }),
    progress: t.computed({
      type: 'Float',
      nullable: true,
      description: 'The part that is written, from 0 to 1; null where it is not known how much there is.',
      columns: ['status', 'total', 'rows'],
      resolve: ({ status, total, rows }) => {
        if (status === 'completed' || status === 'delivering' || total === 0n) return 1;
        return total === null ? null : Math.min(0.999, Number(rows) / Number(total));
      },
    }),
    files: t.computed({
      type: [ExportFileType],
      description:
        'Its files: one, or more where there are more than 50 000 000 rows or 10 GB. Empty until all are written, and once it has expired.',
      columns: ['id', 'kind', 'format', 'isGzip', 'status', 'parts', 'expiresAt', 'createdAt'],
      resolve: (row, _args, ctx) => linkTo(ctx, row),
    }),
    error: t.exposeString('error', {
      nullable: true,
      description:
        'Why it failed or, while it is delivered, why the last attempt to deliver it did; null otherwise.',
    }),
    scheduleId: t.exposeID('scheduleId', {
      nullable: true,
      description: 'The schedule that began it; null where a caller did.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the next attempt to deliver it is due, in real time; null unless it is being delivered.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the receiver had all of it, in real time; null unless it was delivered.',
    }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description:
        'Business time of the start. Rows made later are left out; one that changed meanwhile is as it was when it was read.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was asked for, in real time.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When writing began, in real time; null while it waits.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, in real time; null before.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its files are removed, in real time; null until all are written.',
    }),
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
