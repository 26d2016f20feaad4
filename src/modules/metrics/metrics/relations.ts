import { builder } from '../../../graphql/reading/builder.ts';
import { Metrics } from '../cash/types/metrics.ts';
import { computeHeadline } from './compute-headline.ts';
import { computeMrr } from './compute-mrr.ts';
import { computeCohorts, computeRetention } from './compute-retention.ts';
import { computeScheduled } from './compute-scheduled.ts';
import { loadCustomerMrr } from './load-latest.ts';
import { CurrencyMrrType } from './types/current.ts';
import { HeadlineType } from './types/headline.ts';
import { mrrArgs, retentionArgs } from './types/inputs.ts';
import { ScheduledMrr } from './types/scheduled.ts';
import { CohortType, MrrSeriesType, RetentionType } from './types/series.ts';

builder.objectField(Metrics, 'mrr', (t) =>
  t.field({
    type: [MrrSeriesType],
    description: 'Monthly recurring revenue and its movements, as returned by `metricsMrr`.',
    args: mrrArgs,
    resolve: (input, args, ctx) => computeMrr(ctx, { ...input, ...args }),
  }),
);

builder.objectField(Metrics, 'retention', (t) =>
  t.field({
    type: [RetentionType],
    description: "Retention at the end of the last day's month, as returned by `metricsRetention`.",
    args: retentionArgs,
    resolve: ({ to }, { months }, ctx) => computeRetention(ctx, { month: to, months }),
  }),
);

builder.objectField(Metrics, 'cohorts', (t) =>
  t.field({
    type: [CohortType],
    description: 'Customer cohorts, as returned by `metricsCohorts`.',
    resolve: (input, _args, ctx) => computeCohorts(ctx, input),
  }),
);

builder.objectField(Metrics, 'headline', (t) =>
  t.field({
    type: HeadlineType,
    description: 'Current headline metrics, as returned by `metricsHeadline`. Independent of the date range.',
    resolve: (_input, _args, ctx) => computeHeadline(ctx),
  }),
);

builder.objectField(Metrics, 'scheduled', (t) =>
  t.field({
    type: ScheduledMrr,
    description: 'Scheduled changes in recurring revenue, as returned by `metricsScheduled`.',
    resolve: (input, _args, ctx) => computeScheduled(ctx, input),
  }),
);

builder.prismaObjectField('Customer', 'mrr', (t) =>
  t.computed({
    type: [CurrencyMrrType],
    description:
      "Current monthly recurring revenue of the customer's subscriptions, by currency. Empty if there's no recurring revenue.",
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadCustomerMrr(ctx, id),
  }),
);
