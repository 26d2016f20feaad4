import { builder } from '../../graphql/builder.ts';
import { conversionArgs } from '../fx-rates/types.ts';
import { rangeArgs } from '../metric-ranges/types.ts';
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
      'What was collected, refunded and written off, by the day it happened: the sums of the ledger. A reversed range and one with too many points are a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/cash', view: 'CashSeries' },
    access: { scope: 'finance' },
    args: { ...rangeArgs, ...conversionArgs },
    resolve: (_root, args, ctx) => computeCash(ctx, args),
  }),
);

builder.queryField('metricsBilled', (t) =>
  t.field({
    type: [BilledSeriesType],
    description:
      'What was billed before tax, by the day of issue, less invoices voided on the day they were. The 50 largest groups, the others as one. A reversed range and one with too many points are a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/billed', view: 'BilledSeries' },
    access: { scope: 'finance' },
    args: {
      ...rangeArgs,
      ...conversionArgs,
      groupBy: t.arg({ type: BilledDimension, description: 'What to group by. Defaults to one group.' }),
    },
    resolve: (_root, args, ctx) => computeBilled(ctx, args),
  }),
);

builder.queryField('metricsReceivables', (t) =>
  t.field({
    type: [ReceivablesType],
    description: 'What customers owe at the end of a day, by how long it is due.',
    rest: { method: 'GET', path: '/metrics/receivables', view: 'Receivables' },
    access: { scope: 'finance' },
    args: {
      day: t.arg({ type: 'Date', required: true, description: 'The day; up to now where it is not over.' }),
      ...conversionArgs,
    },
    resolve: (_root, args, ctx) => computeReceivables(ctx, args),
  }),
);

builder.queryField('metricsRecovery', (t) =>
  t.field({
    type: [RecoverySeriesType],
    description:
      'What became of invoices whose collection failed, by the day of their first failure. Figures of past days change while invoices are still being collected. A reversed range and one with too many points are a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/recovery', view: 'RecoverySeries' },
    access: { scope: 'finance' },
    args: { ...rangeArgs, ...conversionArgs },
    resolve: (_root, args, ctx) => computeRecovery(ctx, args),
  }),
);

builder.queryField('taxExposure', (t) =>
  t.field({
    type: [TaxExposureType],
    description:
      'Where the organization sells, and whether it is registered for tax there: countries without a registration first, then those registered in some regions, each by currency and the largest sales first. A list of countries and currencies, about 50. A reversed range is a `validation_error`.',
    access: { scope: 'finance' },
    args: { from: rangeArgs.from, to: rangeArgs.to },
    resolve: (_root, args, ctx) => computeExposure(ctx, args),
  }),
);

builder.queryField('metrics', (t) =>
  t.field({
    type: Metrics,
    description:
      'The series of one range in one question. A reversed range and one with too many points are a `validation_error`.',
    access: { scope: 'finance' },
    args: { ...rangeArgs, ...conversionArgs },
    resolve: (_root, args) => args,
  }),
);
