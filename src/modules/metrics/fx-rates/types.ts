import type { EffectiveRate, MissingRate as Missing } from '../../../domain/metrics/conversion.ts';
import type { Day } from '../../../domain/metrics/range.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { FxSource } from './enums.ts';

export type RateOfDay = { readonly currency: string; readonly day: Day; readonly rate: EffectiveRate };

export const FxRate = builder.objectRef<RateOfDay>('FxRate').implement({
  description: 'Exchange rate for converting the amounts of one day.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the rate.'),
    day: t.member('day', 'Date').describe('Day that the rate applies to.'),
    unitsPerUsd: t.field({
      type: 'SafeInt',
      description: 'Units of the currency per 1 USD, in hundred-millionths of a unit (100,000,000 = 1).',
      resolve: ({ rate }) => rate.unitsPerUsd,
    }),
    source: t.field({
      type: FxSource,
      description: 'Source of the rate.',
      resolve: ({ rate }) => rate.source,
    }),
    rateDay: t.field({
      type: 'Date',
      description: 'Day from which the rate is taken: `day` itself or one of the 7 preceding days.',
      resolve: ({ rate }) => rate.day,
    }),
    ...t.resource('fx_rate'),
  }),
});

restView('FxRate', 'FxRate', 'currency day unitsPerUsd source rateDay object livemode');

export const MissingRate = builder.objectRef<Missing>('MissingRate').implement({
  description: 'An exchange rate that is missing for a conversion.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the missing rate.'),
    day: t.member('day', 'Date').describe('Day of the missing rate.'),
  }),
});

const MetricFx = builder.inputType('MetricFx', {
  description: 'Currency conversion options for a series of amounts.',
  fields: (t) => ({
    constant: t.field({
      type: 'Date',
      description:
        "Day whose exchange rates apply to all amounts. By default, each day's amounts are converted at that day's exchange rate.",
    }),
  }),
});

export const conversionArgs = builder.args((t) => ({
  currency: t.field({
    type: Currency,
    description:
      "Currency to convert amounts to, at each day's exchange rate. By default, amounts aren't converted, and each currency has a separate series.",
  }),
  fx: t.field({ type: MetricFx, description: 'Currency conversion options. Requires `currency`.' }),
}));
