import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { rangeArgs } from '../ranges/types.ts';
import { computeMargin } from './compute-margin.ts';
import { MarginDimension } from './enums.ts';
import { MarginType } from './types.ts';

const { from, to } = rangeArgs;

builder.queryField('margin', (t) =>
  t.field({
    type: [MarginType],
    description:
      'Returns the exact price, cost, and margin of usage by the day of the events, grouped by feature, AI model, plan, customer, day, or month. At the end of a usage window, the difference to the billed or deducted amount is added to the last day of the window. The 50 groups with the largest amounts are listed separately, and all other groups are combined into one. Fails with `validation_error` if the date range is reversed or has more than 120 months.',
    rest: { method: 'GET', path: '/metrics/margin', view: 'Margin' },
    access: { scope: 'finance' },
    args: {
      from,
      to,
      groupBy: t.arg({ type: MarginDimension, description: 'Dimension to group by. Defaults to `feature`.' }),
    },
    complexity: { field: workCosts.series, multiplier: 5 },
    resolve: (_root, args, ctx) => computeMargin(ctx, args),
  }),
);
