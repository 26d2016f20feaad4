import { builder } from '../../graphql/builder.ts';
import { Metrics } from '../metrics-cash/types/metrics.ts';
import { computeMrr } from './compute-mrr.ts';
import { mrrArgs } from './types/inputs.ts';
import { MrrSeriesType } from './types/series.ts';

builder.objectField(Metrics, 'mrr', (t) =>
  t.field({
    type: [MrrSeriesType],
    description: 'As `metricsMrr`.',
    args: mrrArgs,
    resolve: (input, args, ctx) => computeMrr(ctx, { ...input, ...args }),
  }),
);
