import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { conversionArgs } from '../fx-rates/types.ts';
import { rangeArgs } from '../ranges/types.ts';
import { computeBilled, computeCash } from './compute-cash.ts';
import { computeExposure } from './compute-exposure.ts';
import { computeReceivables } from './compute-receivables.ts';
import { computeRecovery } from './compute-recovery.ts';
import { BilledDimension } from './enums.ts';
import { BilledSeriesType, CashSeriesType, ReceivablesType } from './types/cash.ts';
import { TaxExposureType } from './types/exposure.ts';
import { Metrics } from './types/metrics.ts';
import { RecoverySeriesType } from './types/recovery.ts';

builder.queryField('metricsCash', (t) =>
  t.field({
    type: [CashSeriesType],
    description:
      'Returns collected, refunded, and uncollectible amounts by day, as sums of ledger transfers. Fails with `validation_error` if the date range is reversed or has too many points.',
    rest: { method: 'GET', path: '/metrics/cash', view: 'CashSeries' },
    access: { scope: 'finance' },
    args: { ...rangeArgs, ...conversionArgs },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeCash(ctx, args),
  }),
);

builder.queryField('metricsBilled', (t) =>
  t.field({
    type: [BilledSeriesType],
    description:
      'Returns billed amounts before tax by day of issue. Voided invoices are subtracted on the day on which they were voided. Groups beyond the 50 largest are combined into one. Fails with `validation_error` if the date range is reversed or has too many points.',
    rest: { method: 'GET', path: '/metrics/billed', view: 'BilledSeries' },
    access: { scope: 'finance' },
    args: {
      ...rangeArgs,
      ...conversionArgs,
      groupBy: t.arg({
        type: BilledDimension,
        description: 'Dimension to group by. Defaults to no grouping.',
      }),
    },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeBilled(ctx, args),
  }),
);

builder.queryField('metricsReceivables', (t) =>
  t.field({
    type: [ReceivablesType],
    description: "Returns customers' outstanding amounts at the end of a day, grouped by days past due.",
    rest: { method: 'GET', path: '/metrics/receivables', view: 'Receivables' },
    access: { scope: 'finance' },
    args: {
      day: t.arg({
        type: 'Date',
        required: true,
        description:
          "Day to report on. Returns the amounts at the end of the day, or the current amounts if the day hasn't ended.",
      }),
      ...conversionArgs,
    },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeReceivables(ctx, args),
  }),
);

builder.queryField('metricsRecovery', (t) =>
  t.field({
    type: [RecoverySeriesType],
    description:
      'Returns the outcomes of invoices with failed payments, by the day of the first failed payment. Values for past days can change while invoices are still being collected. Fails with `validation_error` if the date range is reversed or has too many points.',
    rest: { method: 'GET', path: '/metrics/recovery', view: 'RecoverySeries' },
    access: { scope: 'finance' },
    args: { ...rangeArgs, ...conversionArgs },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeRecovery(ctx, args),
  }),
);

builder.queryField('taxExposure', (t) =>
  t.field({
    type: [TaxExposureType],
    description:
      "Lists the organization's sales by country and currency, with its tax registrations in each country. Countries without a registration come first, then countries with registrations in some regions. Countries with the same coverage are sorted by currency and then by sales, largest first. Returns all results at once, typically about 50. Fails with `validation_error` if the date range is reversed.",
    access: { scope: 'finance' },
    args: { from: rangeArgs.from, to: rangeArgs.to },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeExposure(ctx, args),
  }),
);

builder.queryField('metrics', (t) =>
  t.field({
    type: Metrics,
    description:
      'Returns several metrics for one date range in a single request. Fails with `validation_error` if the date range is reversed or has too many points.',
    access: { scope: 'finance' },
    args: { ...rangeArgs, ...conversionArgs },
    complexity: { field: workCosts.series },
    resolve: (_root, args) => args,
  }),
);
