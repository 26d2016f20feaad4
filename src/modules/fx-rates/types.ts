import type { EffectiveRate, MissingRate as Missing } from '../../domain/metrics/conversion.ts';
import type { Day } from '../../domain/metrics/range.ts';
import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import { Currency } from '../currencies/enums.ts';
import { FxSource } from './enums.ts';

/** The rate that counts for a currency on a day. */
export type RateOfDay = { readonly currency: string; readonly day: Day; readonly rate: EffectiveRate };

export const FxRate = builder.objectRef<RateOfDay>('FxRate').implement({
  description: 'The exchange rate amounts of a day are converted by.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      description: 'The currency.',
      resolve: ({ currency }) => currency,
    }),
    day: t.expose('day', { type: 'Date', description: 'The day it counts for.' }),
    unitsPerUsd: t.field({
      type: 'SafeInt',
      description:
        'How much of the currency is worth one US dollar, in hundred-millionths: 92000000 is 0.92.',
      resolve: ({ rate }) => rate.unitsPerUsd,
    }),
    source: t.field({
      type: FxSource,
      description: 'Where it comes from.',
      resolve: ({ rate }) => rate.source,
    }),
    rateDay: t.field({
      type: 'Date',
      description: 'The day the rate is of: the same day, or one of the seven before.',
      resolve: ({ rate }) => rate.day,
    }),
    object: t.string({ description: 'Always `fx_rate`.', resolve: () => 'fx_rate' }),
    livemode: t.livemode(),
  }),
});

restView('FxRate', 'FxRate', 'currency day unitsPerUsd source rateDay object livemode');

export const MissingRate = builder.objectRef<Missing>('MissingRate').implement({
  description: 'An exchange rate that a converted amount lacks.',
  fields: (t) => ({
    currency: t.field({ type: Currency, description: 'The currency.', resolve: ({ currency }) => currency }),
    day: t.expose('day', { type: 'Date', description: 'The day.' }),
  }),
});

export const MetricFx = builder.inputType('MetricFx', {
  description: 'How a series is converted.',
  fields: (t) => ({
    constant: t.field({
      type: 'Date',
      description: 'Use the rates of this day for all days. Defaults to the rate of each day.',
    }),
  }),
});

/** How a series of amounts is converted. */
export const conversionArgs = builder.args((t) => ({
  currency: t.field({
    type: Currency,
    description:
      'Convert into this currency, at the rate of each day. Without it, each currency has a series of its own.',
  }),
  fx: t.field({ type: MetricFx, description: 'How it is converted. Needs `currency`.' }),
}));
