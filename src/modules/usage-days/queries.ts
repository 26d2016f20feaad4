import { builder } from '../../graphql/builder.ts';
import { code } from '../../graphql/shapes.ts';
import { rangeArgs } from '../metric-ranges/types.ts';
import { computeUsage } from './compute-usage.ts';
import { UsageDimension } from './enums.ts';
import { UsageSeriesType } from './types.ts';

builder.queryField('metricsUsage', (t) =>
  t.field({
    type: [UsageSeriesType],
    description:
      'Usage by the day it happened, of each feature, AI model, plan or customer; the 50 with the most units, the others as one. Corrections by `usageSet` are not in it. A reversed range and one with too many points are a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/usage', view: 'UsageSeries' },
    access: { scope: 'read' },
    args: {
      ...rangeArgs,
      featureCode: t.arg.string({ rule: code, description: 'Only this feature, by its code.' }),
      groupBy: t.arg({ type: UsageDimension, description: 'What to group by. Defaults to features.' }),
    },
    resolve: (_root, args, ctx) => computeUsage(ctx, args),
  }),
);
