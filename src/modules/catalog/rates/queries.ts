import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { mostQuantities, previewRate } from './preview.ts';
import { RateTermsInput } from './types/inputs.ts';
import { RatePreview } from './types.ts';

const RatePreviewInput = builder.inputType('RatePreviewInput', {
  description: 'Parameters for pricing quantities by a rate.',
  fields: (t) => ({
    rate: t.field({ type: RateTermsInput, required: true, description: 'Rate to price the quantities by.' }),
    quantities: t.field({
      type: ['Decimal'],
      required: true,
      rule: { minItems: 1, maxItems: mostQuantities },
      description: `Quantities to price, without free units. From 1 to ${mostQuantities} values, each from 0 to 9,007,199,254,740,991 with up to 9 decimal places.`,
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts. Determines how prices are rounded. Defaults to `usd`.',
    }),
  }),
});

builder.queryField('ratePreview', (t) =>
  t.field({
    type: [RatePreview],
    description:
      "Returns the price of each quantity by a rate, with its lines. Doesn't store anything. If the rate or a quantity is invalid, `details.reason` of the error is `bad_rate`, `bad_quantity`, or `too_large`, and `details.problems` lists all problems.",
    rest: { method: 'POST', path: '/rates/preview', view: 'RatePreview' },
    access: { scope: 'read' },
    args: { input: t.arg({ type: RatePreviewInput, required: true }) },
    resolve: (_root, { input: { rate, quantities, currency } }) =>
      previewRate(rate, quantities, currency ?? 'usd'),
  }),
);
