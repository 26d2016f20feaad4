import { builder } from '../../../graphql/builder.ts';
import { code } from '../../../graphql/shapes.ts';
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
  description: 'Series of one range and currency.',
  fields: (t) => ({
    cash: t.field({
      type: [CashSeriesType],
      description: 'As `metricsCash`.',
      resolve: (input, _args, ctx) => computeCash(ctx, input),
    }),
    billed: t.field({
      type: [BilledSeriesType],
      description: 'As `metricsBilled`.',
      args: {
        groupBy: t.arg({ type: BilledDimension, description: 'What to group by. Defaults to one group.' }),
      },
      resolve: (input, { groupBy }, ctx) => computeBilled(ctx, { ...input, groupBy }),
    }),
    receivables: t.field({
      type: [ReceivablesType],
      description: 'As `metricsReceivables` at the end of the last day.',
      resolve: ({ to, currency, fx }, _args, ctx) => computeReceivables(ctx, { day: to, currency, fx }),
    }),
    trials: t.field({
      type: TrialSeriesType,
      description: 'As `metricsTrials`.',
      resolve: (input, _args, ctx) => computeTrials(ctx, input),
    }),
    recovery: t.field({
      type: [RecoverySeriesType],
      description: 'As `metricsRecovery`.',
      resolve: (input, _args, ctx) => computeRecovery(ctx, input),
    }),
    usage: t.field({
      type: [UsageSeriesType],
      description: 'As `metricsUsage`.',
      args: {
        featureCode: t.arg.string({ rule: code, description: 'Only this feature, by its code.' }),
        groupBy: t.arg({ type: UsageDimension, description: 'What to group by. Defaults to features.' }),
      },
      resolve: ({ from, to, interval }, args, ctx) => computeUsage(ctx, { from, to, interval, ...args }),
    }),
  }),
});
