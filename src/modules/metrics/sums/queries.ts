import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { inTurn } from '../../../request/turn.ts';
import { checkMetrics } from './check.ts';
import { MetricsVerification } from './types.ts';

builder.queryField('metricsVerify', (t) =>
  t.field({
    type: MetricsVerification,
    description:
      'Recalculates metrics and compares the results with the stored sums. Monthly recurring revenue is computed from the subscriptions, from the latest change to each subscription, and from the daily and monthly sums. Sums of cash, billed amounts, receivables, trials, recovery, and usage are compared with their sources. Takes longer as the stored data grows.',
    access: { scope: 'finance' },
    complexity: { field: workCosts.wholeTables },
    resolve: (_root, _args, ctx) => inTurn(ctx, () => checkMetrics(ctx)),
  }),
);
