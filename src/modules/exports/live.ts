import { builder } from '../../graphql/builder.ts';
import { watch } from '../../graphql/live.ts';
import { isEnded, readExport, requireExport } from './store.ts';
import { Export } from './types.ts';

builder.subscriptionField('exportProgress', (t) =>
  t.field({
    type: Export,
    description:
      'An export as it is now, then as it is written; completes when it has ended. `not_found` when there is none, or none the caller may have.',
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
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
