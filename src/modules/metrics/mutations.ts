import { builder } from '../../graphql/builder.ts';
import { rebuildMetrics } from './delete-sums.ts';

builder.mutationField('metricsRebuild', (t) =>
  t.boolean({
    description:
      'Drops the sums of recurring revenue, cash, billed amounts, receivables, trials, recovery and usage, and adds them up again from the first change, transfer and event. Figures are incomplete until that is done; the result is the same. Sums of events that are removed after some time stay.',
    access: { scope: 'finance', role: 'owner' },
    resolve: (_root, _args, ctx) => rebuildMetrics(ctx),
  }),
);
