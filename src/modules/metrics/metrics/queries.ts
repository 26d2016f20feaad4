import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { conversionArgs } from '../fx-rates/types.ts';
import { rangeArgs } from '../ranges/types.ts';
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
import { CohortType, MrrSeriesType, RetentionType } from './types/series.ts';

builder.queryField('metricsMrr', (t) =>
  t.field({
    type: [MrrSeriesType],
    description:
      "Returns monthly recurring revenue and its movements by day, week, month, quarter, or year. Returns one series per currency, or a single converted series if `currency` is set. Includes changes that aren't processed yet. Groups beyond the 50 largest are combined into one. Fails with `validation_error` if the date range is reversed or has too many points.",
    rest: { method: 'GET', path: '/metrics/mrr', view: 'MrrSeries' },
    access: { scope: 'finance' },
    args: {
      ...rangeArgs,
      ...conversionArgs,
      ...mrrArgs,
    },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeMrr(ctx, args),
  }),
);

builder.queryField('mrrChanges', (t) =>
  t.field({
    type: MrrChangeConnection,
    description:
      "Lists daily changes in each customer's recurring revenue, latest day first. `metricsMrr` adds up the same changes. A change is listed after processing, usually within a second. Fails with `validation_error` if the date range is reversed.",
    rest: { method: 'GET', path: '/metrics/mrr/changes', view: 'MrrChange' },
    access: { scope: 'finance' },
    args: {
      ...pageArgs(),
      from: t.arg({ type: 'Date', required: true, description: 'First day to include.' }),
      to: t.arg({ type: 'Date', required: true, description: 'Last day to include.' }),
      kind: t.arg({
        type: MrrMovementKind,
        description: 'Type of the movements to include. Defaults to all types.',
      }),
      reason: t.arg({
        type: MrrReason,
        description: 'Reason for the changes to include. Defaults to all reasons.',
      }),
      planId: t.arg.id({
        description:
          'ID of a plan. Includes plan changes to or from the plan, and all changes to subscriptions on the plan.',
      }),
      customerId: t.arg.id({ description: 'ID of the customer whose changes to include.' }),
    },
    resolve: (_root, args, ctx, info) => listChanges(ctx, args, info),
  }),
);

builder.queryField('metricsScheduled', (t) =>
  t.field({
    type: ScheduledMrr,
    description:
      'Returns scheduled changes in monthly recurring revenue, by the day on which the changes take effect. Includes scheduled cancellations and plan changes, seat removals, offer phases, and revenue from trials. Assumes that nothing else changes and that charges succeed. Fails with `validation_error` if the date range is reversed or longer than 1,100 days.',
    rest: { method: 'GET', path: '/metrics/scheduled', view: 'ScheduledMrr' },
    access: { scope: 'finance' },
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'First day to include.' }),
      to: t.arg({ type: 'Date', required: true, description: 'Last day to include.' }),
    },
    complexity: { field: workCosts.series },
    resolve: (_root, args, ctx) => computeScheduled(ctx, args),
  }),
);

builder.queryField('metricsRetention', (t) =>
  t.field({
    type: [RetentionType],
    description:
      "Returns the retention of customers between two months, by currency. Counts the customers who paid at the end of the earlier month and those who still pay at the end of the later month, with their revenue at both times. Empty if the later month hasn't ended or isn't processed yet, or if the earlier month has no data. Fails with `validation_error` for an unsupported number of months.",
    rest: { method: 'GET', path: '/metrics/retention', view: 'MrrRetention' },
    access: { scope: 'finance' },
    args: {
      month: t.arg({
        type: 'Date',
        required: true,
        description: 'Any day in the later of the two months to compare.',
      }),
      ...retentionArgs,
    },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeRetention(ctx, args),
  }),
);

builder.queryField('metricsCohorts', (t) =>
  t.field({
    type: [CohortType],
    description:
      'Returns customer cohorts by the month of their first recurring revenue, with the remaining customers and revenue at the end of each month. Fails with `validation_error` if the date range is reversed.',
    rest: { method: 'GET', path: '/metrics/cohorts', view: 'MrrCohort' },
    access: { scope: 'finance' },
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'Any day in the month of the first cohort.' }),
      to: t.arg({ type: 'Date', required: true, description: 'Any day in the month of the last cohort.' }),
    },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeCohorts(ctx, args),
  }),
);

builder.queryField('metricsHeadline', (t) =>
  t.field({
    type: HeadlineType,
    description: 'Returns the current headline metrics in US dollars.',
    rest: { method: 'GET', path: '/metrics/headline', view: 'MetricsHeadline' },
    access: { scope: 'finance' },
    complexity: { field: workCosts.series },
    resolve: (_root, _args, ctx) => computeHeadline(ctx),
  }),
);
