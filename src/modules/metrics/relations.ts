import { builder } from '../../graphql/builder.ts';
import { Metrics } from '../metrics-cash/types/metrics.ts';
import { computeHeadline } from './compute-headline.ts';
import { computeMrr } from './compute-mrr.ts';
import { computeCohorts, computeRetention } from './compute-retention.ts';
import { computeScheduled } from './compute-scheduled.ts';
import { loadCustomerMrr, loadSubscriptionMrr } from './load-latest.ts';
import { CurrencyMrrType } from './types/current.ts';
import { HeadlineType } from './types/headline.ts';
import { mrrArgs, retentionArgs } from './types/inputs.ts';
import { ScheduledMrr } from './types/scheduled.ts';
import { CohortType, MrrSeriesType, RetentionType } from './types/series.ts';

builder.objectField(Metrics, 'mrr', (t) =>
  t.field({
    type: [MrrSeriesType],
    description: 'As `metricsMrr`.',
    args: mrrArgs,
    resolve: (input, args, ctx) => computeMrr(ctx, { ...input, ...args }),
  }),
);

builder.objectField(Metrics, 'retention', (t) =>
  t.field({
    type: [RetentionType],
    description: 'As `metricsRetention` at the end of the month of the last day.',
    args: retentionArgs,
    resolve: ({ to }, { months }, ctx) => computeRetention(ctx, { month: to, months }),
  }),
);

builder.objectField(Metrics, 'cohorts', (t) =>
  t.field({
    type: [CohortType],
    description: 'As `metricsCohorts`.',
    resolve: (input, _args, ctx) => computeCohorts(ctx, input),
  }),
);

builder.objectField(Metrics, 'headline', (t) =>
  t.field({
    type: HeadlineType,
    description: 'As `metricsHeadline`, as of now whatever the range.',
    resolve: (_input, _args, ctx) => computeHeadline(ctx),
  }),
);

builder.objectField(Metrics, 'scheduled', (t) =>
  t.field({
    type: ScheduledMrr,
    description: 'As `metricsScheduled`.',
    resolve: (input, _args, ctx) => computeScheduled(ctx, input),
  }),
);

builder.prismaObjectField('Customer', 'mrr', (t) =>
  t.computed({
    type: [CurrencyMrrType],
    description:
      'What its subscriptions recur at per month as of now, by currency; empty where nothing recurs.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadCustomerMrr(ctx, id),
  }),
);

builder.prismaObjectField('Subscription', 'mrr', (t) =>
  t.computed({
    type: 'SafeInt',
    amount: 'RATE',
    description: 'What it recurs at per month as of now, in its currency; 0 where nothing recurs.',
    columns: ['id', 'customerId'],
    resolve: (subscription, _args, ctx) => loadSubscriptionMrr(ctx, subscription),
  }),
);
