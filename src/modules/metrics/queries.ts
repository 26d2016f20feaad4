import { builder } from '../../graphql/builder.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { conversionArgs } from '../fx-rates/types.ts';
import { rangeArgs } from '../metric-ranges/types.ts';
import { checkMetrics } from './check.ts';
import { computeHeadline } from './compute-headline.ts';
import { computeMrr } from './compute-mrr.ts';
import { computeCohorts, computeRetention } from './compute-retention.ts';
import { computeScheduled } from './compute-scheduled.ts';
import { MrrMovementKind, MrrReason } from './enums.ts';
import { listChanges } from './list-changes.ts';
import { MrrChangeConnection } from './types/changes.ts';
import { HeadlineType } from './types/headline.ts';
import { mrrArgs, retentionArgs } from './types/inputs.ts';
import { ScheduledMrr } from './types/scheduled.ts';
import { CohortType, MetricsVerification, MrrSeriesType, RetentionType } from './types/series.ts';

builder.queryField('metricsMrr', (t) =>
  t.field({
    type: [MrrSeriesType],
    description:
      'Monthly recurring revenue and its movements, by day, week, month, quarter or year: one series for each currency, or one that is converted. It includes what was written just before. The 50 largest groups, the others as one. A reversed range and one with too many points are a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/mrr', view: 'MrrSeries' },
    access: { scope: 'finance' },
    args: {
      ...rangeArgs,
      ...conversionArgs,
      ...mrrArgs,
    },
    resolve: (_root, args, ctx) => computeMrr(ctx, args),
  }),
);

builder.queryField('mrrChanges', (t) =>
  t.field({
    type: MrrChangeConnection,
    description:
      'What each day changed of the recurring revenue of each customer, the latest day first: what `metricsMrr` counts as movements. A change is listed once it has been added up, usually within a second. A reversed range is a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/mrr/changes', view: 'MrrChange' },
    access: { scope: 'finance' },
    args: {
      ...pageArgs(),
      from: t.arg({ type: 'Date', required: true, description: 'The first day.' }),
      to: t.arg({ type: 'Date', required: true, description: 'The last day.' }),
      kind: t.arg({ type: MrrMovementKind, description: 'Only those that did this.' }),
      reason: t.arg({ type: MrrReason, description: 'Only those for this reason.' }),
      planId: t.arg.id({
        description: 'Only those with a subscription that changed to or from this plan, or on it.',
      }),
      customerId: t.arg.id({ description: 'Only those of this customer, by our id.' }),
    },
    resolve: (_root, args, ctx, info) => listChanges(ctx, args, info),
  }),
);

builder.queryField('metricsScheduled', (t) =>
  t.field({
    type: ScheduledMrr,
    description:
      'Scheduled changes of monthly recurring revenue, by the day they take effect: scheduled cancellations and plan changes, seats that leave, phases of offers, and what trials will pay. It assumes that nothing else changes and that charges settle. A reversed range and one of more than 1100 days are a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/scheduled', view: 'ScheduledMrr' },
    access: { scope: 'finance' },
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'The first day.' }),
      to: t.arg({ type: 'Date', required: true, description: 'The last day.' }),
    },
    resolve: (_root, args, ctx) => computeScheduled(ctx, args),
  }),
);

builder.queryField('metricsRetention', (t) =>
  t.field({
    type: [RetentionType],
    description:
      'What was left at the end of a month of the customers who paid some months before, by currency. Empty until the month is over and added up, and where nothing is known of the earlier one. Another number of months is a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/retention', view: 'MrrRetention' },
    access: { scope: 'finance' },
    args: {
      month: t.arg({ type: 'Date', required: true, description: 'Any day of the later month.' }),
      ...retentionArgs,
    },
    resolve: (_root, args, ctx) => computeRetention(ctx, args),
  }),
);

builder.queryField('metricsCohorts', (t) =>
  t.field({
    type: [CohortType],
    description:
      'Customers by the month of their first day with recurring revenue, and what of them paid at the end of each month since. A reversed range is a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/cohorts', view: 'MrrCohort' },
    access: { scope: 'finance' },
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'Any day of the first cohort.' }),
      to: t.arg({ type: 'Date', required: true, description: 'Any day of the last one.' }),
    },
    resolve: (_root, args, ctx) => computeCohorts(ctx, args),
  }),
);

builder.queryField('metricsHeadline', (t) =>
  t.field({
    type: HeadlineType,
    description: 'The figures of a first page as of now, in US dollars.',
    rest: { method: 'GET', path: '/metrics/headline', view: 'MetricsHeadline' },
    access: { scope: 'finance' },
    resolve: (_root, _args, ctx) => computeHeadline(ctx),
  }),
);

builder.queryField('metricsVerify', (t) =>
  t.field({
    type: MetricsVerification,
    description:
      'Works out monthly recurring revenue from the subscriptions themselves, from the last change of each, and from the sums of days and months, and compares the three by subscription, currency and group; the sums of cash, billed amounts, receivables, trials, recovery and usage with what they are made of. Costs time in proportion to all of these.',
    access: { scope: 'finance' },
    resolve: (_root, _args, ctx) => checkMetrics(ctx),
  }),
);
