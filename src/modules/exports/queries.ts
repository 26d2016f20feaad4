import { builder } from '../../graphql/builder.ts';
import { newestFirst } from '../../graphql/cursors.ts';
import { readPage } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { isAmong } from '../../platform/db/row-lists.ts';
import { columnsOfKind } from './derive-columns.ts';
import { ExportKind } from './enums.ts';
import { kindNames, mayRead } from './find-kind.ts';
import { requireExport } from './store.ts';
import { Export, ExportConnection } from './types.ts';

builder.queryField('exports', (t) =>
  t.field({
    type: ExportConnection,
    description: 'Exports, newest first. A key without the scope `finance` sees none of kinds with money.',
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
    description: 'One export; `not_found` when there is none, or none the caller may have.',
    rest: { method: 'GET', path: '/exports/{id}', view: 'Export', errors: ['not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => requireExport(ctx, id),
  }),
);

builder.queryField('exportColumns', (t) =>
  t.field({
    type: ['String'],
    description: 'The columns the files of a kind have when none are chosen, in their order.',
    access: { scope: 'read' },
    args: { kind: t.arg({ type: ExportKind, required: true, description: 'The list.' }) },
    resolve: (_root, { kind }, _ctx, { schema }) => columnsOfKind(schema, kind).map(({ name }) => name),
  }),
);
