import { builder } from '../../graphql/builder.ts';
import { rangeArgs } from '../metric-ranges/types.ts';
import { computeTrials } from './compute-trials.ts';
import { TrialSeriesType } from './types.ts';

builder.queryField('metricsTrials', (t) =>
  t.field({
    type: TrialSeriesType,
    description:
      'Trials by the day they began, and what became of those that ended, by the day they did. Figures of past days change while first charges are still being collected. A reversed range and one with too many points are a `validation_error`.',
    rest: { method: 'GET', path: '/metrics/trials', view: 'TrialSeries' },
    access: { scope: 'finance' },
    args: rangeArgs,
    resolve: (_root, args, ctx) => computeTrials(ctx, args),
  }),
);
