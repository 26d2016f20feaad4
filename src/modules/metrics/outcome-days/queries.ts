import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { rangeArgs } from '../ranges/types.ts';
import { computeTrials } from './compute-trials.ts';
import { TrialSeriesType } from './types.ts';

builder.queryField('metricsTrials', (t) =>
  t.field({
    type: TrialSeriesType,
    description:
      'Returns started free trials by start day, and the outcomes of ended trials by end day. Values for past days can change while first charges are still being collected. Fails with `validation_error` if the date range is reversed or has too many points.',
    rest: { method: 'GET', path: '/metrics/trials', view: 'TrialSeries' },
    access: { scope: 'finance' },
    args: rangeArgs,
    complexity: { field: workCosts.series },
    resolve: (_root, args, ctx) => computeTrials(ctx, args),
  }),
);
