import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { isEnded, readExport, requireExport } from './store.ts';
import { Export } from './types.ts';

builder.subscriptionField('exportProgress', (t) =>
  t.field({
    type: Export,
    description:
      'Emits an export immediately and whenever its progress changes. Completes when the export has ended.',
    errors: [['not_found', "the export doesn't exist or contains data that the caller can't read"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the export.' }) },
    subscribe: async (_root, { id }, ctx) => {
      await requireExport(ctx, id);
      return watch(
        ctx,
        (present) => present.once(`export:${id}`, () => readExport(present.sql, id)),
        ({ status }) => isEnded(status),
      );
    },
    resolve: (row) => row,
  }),
);
