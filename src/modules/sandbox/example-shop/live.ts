import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { readExampleRun, requireExampleRun } from './store.ts';
import { ExampleRun } from './types.ts';

builder.subscriptionField('exampleRunChanged', (t) =>
  t.field({
    type: ExampleRun,
    description:
      'Emits an example run immediately, even if it has ended, and after each completed step. Completes when the run ends.',
    errors: [['not_found', "the run doesn't exist"]],
    access: { scope: 'read', environment: 'sandbox' },
    args: { id: t.arg.id({ required: true, description: 'ID of the run.' }) },
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
