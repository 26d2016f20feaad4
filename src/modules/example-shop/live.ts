import { builder } from '../../graphql/builder.ts';
import { watch } from '../../graphql/live.ts';
import { readExampleRun, requireExampleRun } from './store.ts';
import { ExampleRun } from './types.ts';

builder.subscriptionField('exampleRunChanged', (t) =>
  t.field({
    type: ExampleRun,
    description:
      'An example run as it is now, also when it is over, then after every step; completes when the run ends. `not_found` when there is no such run, `sandbox_only` for live keys.',
    errors: ['not_found'],
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'Id of the run.' }) },
    subscribe: async (_root, { id }, ctx) => {
      await requireExampleRun(ctx, id);
      return watch(
        ctx,
        (present) => present.once(`example:${id}`, () => readExampleRun(present.sql, id)),
        ({ status }) => status !== 'running',
      );
    },
    resolve: (run) => run,
  }),
);
