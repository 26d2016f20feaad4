import { builder } from '../../graphql/builder.ts';
import { rebuildMetrics } from './delete-sums.ts';

builder.mutationField('metricsRebuild', (t) =>
  t.boolean({
    description:
      'Drops the sums of recurring revenue and adds them up again from the first change. Figures are incomplete until that is done; the result is the same.',
    access: { scope: 'finance', role: 'owner' },
    resolve: (_root, _args, ctx) => rebuildMetrics(ctx),
  }),
);
