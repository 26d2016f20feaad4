import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { listRates } from './list.ts';
import { FxRate } from './types.ts';

builder.queryField('fxRates', (t) =>
  t.field({
    type: [FxRate],
    description:
      "Lists the exchange rates of a currency by day, earliest first. Days without a rate are omitted. The first available rate applies: the manual rate, then the feed rate, then the rate derived from settled charges. If a day has none of these rates, the latest rate from the previous 7 days applies, or otherwise the median of the plans' exchange rates. The range can have up to 1,100 days.",
    rest: { method: 'GET', path: '/fx-rates', view: 'FxRate' },
    access: { scope: 'finance' },
    args: {
      currency: t.arg({ type: Currency, required: true, description: 'Currency of the exchange rates.' }),
      from: t.arg({ type: 'Date', required: true, description: 'First day of the date range.' }),
      to: t.arg({
        type: 'Date',
        required: true,
        description: 'Last day of the range, inclusive. Future days are allowed.',
      }),
    },
    resolve: (_root, { currency, from, to }, ctx) => listRates(ctx, currency, { from, to }),
  }),
);
