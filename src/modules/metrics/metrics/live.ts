import { dayOf, intervalEnd, intervalStart } from '../../../domain/metrics/range.ts';
import { followAnswer } from '../../../graphql/live/follow-answer.ts';
import { stoppable } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { MetricInterval } from '../ranges/enums.ts';
import { computeMrr } from './compute-mrr.ts';
import { MrrSeriesType } from './types/series.ts';

builder.subscriptionField('metricsChanged', (t) =>
  t.field({
    type: [MrrSeriesType],
    description:
      'Emits the monthly recurring revenue of the current interval, with one point per currency. Starts with the current value and emits every change. Changes are detected after events (at most once per second) and every 30 seconds.',
    access: { scope: 'finance' },
    args: {
      interval: t.arg({
        type: MetricInterval,
        description: 'Length of the current interval. Defaults to `day`.',
      }),
      currency: t.arg({
        type: Currency,
        description:
          "Currency to convert amounts to, at each day's exchange rate. By default, amounts aren't converted, and each currency has a separate series.",
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
