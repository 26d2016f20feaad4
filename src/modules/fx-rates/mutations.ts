import { fxBounds } from '../../domain/metrics/conversion.ts';
import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { Currency } from '../currencies/enums.ts';
import { deleteFxRate } from './delete.ts';
import { setRate } from './set.ts';
import { FxRate } from './types.ts';

const FxRateSetInput = builder.inputType('FxRateSetInput', {
  description: 'An exchange rate of one day.',
  fields: (t) => ({
    currency: t.field({ type: Currency, required: true, description: 'Any currency but US dollars.' }),
    day: t.field({ type: 'Date', required: true, description: 'The day it counts for; may be past.' }),
    unitsPerUsd: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: fxBounds.least, maximum: fxBounds.most },
      description:
        'How much of the currency is worth one US dollar, in hundred-millionths: 92000000 is 0.92. From 0.0001 to 1 000 000 units.',
    }),
  }),
});

builder.mutationField('fxRateSet', (t) =>
  t.field({
    type: FxRate,
    description:
      'Sets the exchange rate of a currency on a day, in place of any other. Figures of past days change with it from then on.',
    rest: { method: 'PUT', path: '/fx-rates', view: 'FxRate' },
    access: { scope: 'finance', role: 'admin' },
    args: { input: t.arg({ type: FxRateSetInput, required: true, description: 'The rate.' }) },
    resolve: (_root, { input }, ctx) => setRate(ctx, input),
  }),
);

const FxRateDeleteInput = builder.inputType('FxRateDeleteInput', {
  description: 'Which exchange rate to delete.',
  fields: (t) => ({
    currency: t.field({ type: Currency, required: true, description: 'Its currency.' }),
    day: t.field({ type: 'Date', required: true, description: 'Its day.' }),
  }),
});

builder.mutationField('fxRateDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Deletes an exchange rate that was set, so that the other sources count again. `not_found` where none was set.',
    rest: { method: 'DELETE', path: '/fx-rates', view: 'DeletedObject', errors: ['not_found'] },
    access: { scope: 'finance', role: 'admin' },
    args: { input: t.arg({ type: FxRateDeleteInput, required: true, description: 'The rate.' }) },
    resolve: (_root, { input }, ctx) => deleteFxRate(ctx, input.currency, input.day),
  }),
);
