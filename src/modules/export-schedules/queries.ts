import { builder } from '../../graphql/builder.ts';
import { newestFirst } from '../../graphql/cursors.ts';
import { readPage } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { isAmong } from '../../platform/db/row-lists.ts';
import { kindNames, mayRead } from '../exports/find-kind.ts';
import { ExportScheduleConnection } from './types.ts';

builder.queryField('exportSchedules', (t) =>
  t.field({
    type: ExportScheduleConnection,
    description:
      'Schedules of exports, newest first. A key without the scope `finance` sees none of kinds with money.',
    rest: { method: 'GET', path: '/export-schedules', view: 'ExportSchedule' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx, info) => {
      const values = kindNames.filter((kind) => mayRead(ctx, kind));
      const conditions = [isAmong('ExportSchedule', { column: 'kind', values })];
      return readPage(ctx, { model: 'ExportSchedule', conditions, order: newestFirst }, args, { info });
    },
  }),
);
