import { fxBounds } from '../../../domain/metrics/conversion.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { DeletedObject } from '../../../graphql/reading/deleted.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { deleteFxRate } from './delete.ts';
import { setRate } from './set.ts';
import { FxRate } from './types.ts';

const FxRateSetInput = builder.inputType('FxRateSetInput', {
  description: 'Parameters for setting an exchange rate.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      required: true,
      description: 'Currency of the rate. Any currency except `usd`.',
    }),
    day: t.field({
      type: 'Date',
      required: true,
      description: 'Day that the rate applies to. Past days are allowed.',
    }),
    unitsPerUsd: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: fxBounds.least, maximum: fxBounds.most },
      description:
        'Units of the currency per 1 USD, in hundred-millionths of a unit (100,000,000 = 1). From 10,000 (0.0001 units) to 100,000,000,000,000 (1,000,000 units).',
    }),
  }),
});

builder.mutationField('fxRateSet', (t) =>
  t.field({
    type: FxRate,
    description:
      'Sets the exchange rate of a currency for a day. The rate takes precedence over all other sources. Metrics of past days change accordingly.',
    rest: { method: 'PUT', path: '/fx-rates', view: 'FxRate' },
    access: { scope: 'finance', role: 'admin' },
    args: { input: t.arg({ type: FxRateSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setRate(ctx, input),
  }),
);

const FxRateDeleteInput = builder.inputType('FxRateDeleteInput', {
  description: 'Parameters for deleting an exchange rate.',
  fields: (t) => ({
    currency: t.field({ type: Currency, required: true, description: 'Currency of the rate.' }),
    day: t.field({ type: 'Date', required: true, description: 'Day of the rate.' }),
  }),
});

builder.mutationField('fxRateDelete', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Deletes an exchange rate that was set manually. Rates from the other sources apply again.',
    rest: { method: 'DELETE', path: '/fx-rates', view: 'DeletedObject' },
    errors: [['not_found', 'no rate was set for the currency and day']],
    access: { scope: 'finance', role: 'admin' },
    args: { input: t.arg({ type: FxRateDeleteInput, required: true }) },
    resolve: (_root, { input }, ctx) => deleteFxRate(ctx, input.currency, input.day),
  }),
);
