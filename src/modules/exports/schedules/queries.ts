import { builder } from '../../../graphql/reading/builder.ts';
import { newestFirst } from '../../../graphql/reading/cursors.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { isAmong } from '../../../platform/db/row-lists.ts';
import { kindNames, mayRead } from '../exports/find-kind.ts';
import { ExportScheduleConnection } from './types.ts';

builder.queryField('exportSchedules', (t) =>
  t.field({
    type: ExportScheduleConnection,
    description:
      'Lists export schedules, newest first. Excludes schedules for financial data if the API key lacks the scope `finance`.',
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
