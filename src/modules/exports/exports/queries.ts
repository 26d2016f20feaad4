import { builder } from '../../../graphql/reading/builder.ts';
import { newestFirst } from '../../../graphql/reading/cursors.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { isAmong } from '../../../platform/db/row-lists.ts';
import { columnsOfKind } from './derive-columns.ts';
import { ExportKind } from './enums.ts';
import { kindNames, mayRead } from './find-kind.ts';
import { requireExport } from './store.ts';
import { Export, ExportConnection } from './types.ts';

builder.queryField('exports', (t) =>
  t.field({
    type: ExportConnection,
    description:
      'Lists exports, newest first. Excludes exports of financial data if the API key lacks the scope `finance`.',
    rest: { method: 'GET', path: '/exports', view: 'Export' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx, info) => {
      const values = kindNames.filter((kind) => mayRead(ctx, kind));
      const conditions = [isAmong('Export', { column: 'kind', values })];
      return readPage(ctx, { model: 'Export', conditions, order: newestFirst }, args, { info });
    },
  }),
);

builder.queryField('export', (t) =>
  t.field({
    type: Export,
    description: 'Returns an export.',
    rest: { method: 'GET', path: '/exports/{id}', view: 'Export' },
    errors: [['not_found', "the export doesn't exist or contains data that the caller can't read"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the export.' }) },
    resolve: (_root, { id }, ctx) => requireExport(ctx, id),
  }),
);

builder.queryField('exportColumns', (t) =>
  t.field({
    type: ['String'],
    description: 'Returns the columns that an export of the given type can contain, in the default order.',
    access: { scope: 'read' },
    args: { kind: t.arg({ type: ExportKind, required: true, description: 'Type of data to export.' }) },
    resolve: (_root, { kind }, _ctx, { schema }) => columnsOfKind(schema, kind).map(({ name }) => name),
  }),
);
