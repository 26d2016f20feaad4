import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { code } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { rangeArgs } from '../ranges/types.ts';
import { computeUsage } from './compute-usage.ts';
import { UsageDimension } from './enums.ts';
import { UsageSeriesType } from './types.ts';

builder.queryField('metricsUsage', (t) =>
  t.field({
    type: [UsageSeriesType],
    description:
      "Returns usage by the day of the events, grouped by feature, AI model, plan, or customer. The 50 groups with the most units are listed separately, and all other groups are combined into one. Usage adjustments from `usageSet` aren't included. Fails with `validation_error` if the date range is reversed or has too many points.",
    rest: { method: 'GET', path: '/metrics/usage', view: 'UsageSeries' },
    access: { scope: 'read' },
    args: {
      ...rangeArgs,
      featureCode: t.arg.string({
        rule: code,
        description: 'Code of the feature to include. Defaults to all features.',
      }),
      groupBy: t.arg({ type: UsageDimension, description: 'Dimension to group by. Defaults to `feature`.' }),
    },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeUsage(ctx, args),
  }),
);
