import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { rebuildMetrics } from './delete-sums.ts';

builder.mutationField('metricsRebuild', (t) =>
  t.boolean({
    description:
      "Deletes and rebuilds the sums of recurring revenue, cash, billed amounts, receivables, trials, recovery, and usage. The sums are rebuilt from all revenue changes, ledger transfers, and usage events. Metrics are incomplete until the rebuild is done. The rebuild doesn't change the values. If events were deleted after a retention period, their sums are kept.",
    access: { scope: 'finance', role: 'owner' },
    complexity: { field: workCosts.wholeTables },
    resolve: (_root, _args, ctx) => rebuildMetrics(ctx),
  }),
);
