import { code } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { computeTrials } from '../../outcome-days/compute-trials.ts';
import { TrialSeriesType } from '../../outcome-days/types.ts';
import { computeUsage } from '../../usage-days/compute-usage.ts';
import { UsageDimension } from '../../usage-days/enums.ts';
import { UsageSeriesType } from '../../usage-days/types.ts';
import { computeBilled, computeCash, type SeriesInput } from '../compute-cash.ts';
import { computeReceivables } from '../compute-receivables.ts';
import { computeRecovery } from '../compute-recovery.ts';
import { BilledDimension } from '../enums.ts';
import { BilledSeriesType, CashSeriesType, ReceivablesType } from './cash.ts';
import { RecoverySeriesType } from './recovery.ts';

export const Metrics = builder.objectRef<SeriesInput>('Metrics').implement({
  description: 'Several metrics for one date range and currency.',
  fields: (t) => ({
    cash: t.field({
      type: [CashSeriesType],
      description: 'Cash movements, as returned by `metricsCash`.',
      resolve: (input, _args, ctx) => computeCash(ctx, input),
    }),
    billed: t.field({
      type: [BilledSeriesType],
      description: 'Billed amounts, as returned by `metricsBilled`.',
      args: {
        groupBy: t.arg({
          type: BilledDimension,
          description: 'Dimension to group by. Defaults to no grouping.',
        }),
      },
      resolve: (input, { groupBy }, ctx) => computeBilled(ctx, { ...input, groupBy }),
    }),
    receivables: t.field({
      type: [ReceivablesType],
      description: 'Receivables at the end of the last day, as returned by `metricsReceivables`.',
      resolve: ({ to, currency, fx }, _args, ctx) => computeReceivables(ctx, { day: to, currency, fx }),
    }),
    trials: t.field({
      type: TrialSeriesType,
      description: 'Free trials, as returned by `metricsTrials`.',
      resolve: (input, _args, ctx) => computeTrials(ctx, input),
    }),
    recovery: t.field({
      type: [RecoverySeriesType],
      description: 'Recovery of failed payments, as returned by `metricsRecovery`.',
      resolve: (input, _args, ctx) => computeRecovery(ctx, input),
    }),
    usage: t.field({
      type: [UsageSeriesType],
      description: 'Usage, as returned by `metricsUsage`.',
      args: {
        featureCode: t.arg.string({
          rule: code,
          description: 'Code of the feature to include. Defaults to all features.',
        }),
        groupBy: t.arg({
          type: UsageDimension,
          description: 'Dimension to group by. Defaults to `feature`.',
        }),
      },
      resolve: ({ from, to, interval }, args, ctx) => computeUsage(ctx, { from, to, interval, ...args }),
    }),
  }),
});
