import { dayOf, intervalEnd, intervalStart } from '../../domain/metrics/range.ts';
import { builder } from '../../graphql/builder.ts';
import { followAnswer } from '../../graphql/follow-answer.ts';
import { stoppable } from '../../graphql/live.ts';
import { Currency } from '../currencies/enums.ts';
import { MetricInterval } from '../metric-ranges/enums.ts';
import { computeMrr } from './compute-mrr.ts';
import { MrrSeriesType } from './types/series.ts';

builder.subscriptionField('metricsChanged', (t) =>
  t.field({
    type: [MrrSeriesType],
    description:
      'Monthly recurring revenue of the span that is open now, one point in each currency: as it is when the subscription begins and whenever it is something else. It is looked at after events, at most once a second, and every 30 seconds.',
    access: { scope: 'finance' },
    args: {
      interval: t.arg({ type: MetricInterval, description: 'The span of the point. Defaults to days.' }),
      currency: t.arg({
        type: Currency,
        description:
          'Convert into this currency, at the rate of each day. Without it, each currency has a series of its own.',
      }),
    },
    subscribe: (_root, { interval, currency }, ctx) =>
      stoppable((stop) =>
        followAnswer(ctx, stop, () => {
          const [span, today] = [interval ?? 'day', dayOf(ctx.clock.now())];
          const range = { from: intervalStart(today, span), to: intervalEnd(today, span) };
          return computeMrr(ctx, { ...range, interval: span, currency });
        }),
      ),
    resolve: (series) => [...series],
  }),
);
