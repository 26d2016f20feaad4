import { builder } from '../../graphql/builder.ts';
import { Currency } from '../currencies/enums.ts';
import { listRates } from './list.ts';
import { FxRate } from './types.ts';

builder.queryField('fxRates', (t) =>
  t.field({
    type: [FxRate],
    description:
      'The exchange rate of a currency on each day of a range that has one, the earliest day first: one that was set, else one that was read, else what settled charges brought, of the day or the latest of the seven days before; else the median of the exchange rates of plans. A range that ends before it begins or has more than 1100 days is a `validation_error`.',
    rest: { method: 'GET', path: '/fx-rates', view: 'FxRate' },
    access: { scope: 'finance' },
    args: {
      currency: t.arg({ type: Currency, required: true, description: 'The currency.' }),
      from: t.arg({ type: 'Date', required: true, description: 'The first day.' }),
      to: t.arg({ type: 'Date', required: true, description: 'The last day; may lie ahead.' }),
    },
    resolve: (_root, { currency, from, to }, ctx) => listRates(ctx, currency, { from, to }),
  }),
);
