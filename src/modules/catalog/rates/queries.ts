import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { mostQuantities, mostUsage, ratePreview } from './preview.ts';
import { rateCardRows } from './store.ts';
import { RateCard, RateCardConnection } from './types/card.ts';
import { PreviewRateInput } from './types/inputs.ts';
import { RatePreview } from './types.ts';

const UsagePartInput = builder.inputType('RatePreviewUsageInput', {
  description: 'Quantity with its dimension values.',
  fields: (t) => ({
    values: t.field({
      type: 'Json',
      required: true,
      description: 'Value of each dimension, such as `{"model": "large"}`.',
    }),
    quantity: t.field({
      type: 'Decimal',
      required: true,
      description: 'Quantity from 0 to 9,007,199,254,740,991 with up to 9 decimal places.',
    }),
  }),
});

const RatePreviewInput = builder.inputType('RatePreviewInput', {
  description: 'Parameters for pricing quantities by a rate.',
  fields: (t) => ({
    rate: t.field({
      type: PreviewRateInput,
      description:
        'Rate, or rates by dimension, to price the quantities by. Required unless `rateCardId` is set.',
    }),
    rateCardId: t.id({
      description: "ID or code of the rate card to price the quantities by. Can't be combined with `rate`.",
    }),
    quantities: t.field({
      type: ['Decimal'],
      rule: { maxItems: mostQuantities },
      description: `Quantities to price, without free units and dimension values. Up to ${mostQuantities} values, each from 0 to 9,007,199,254,740,991 with up to 9 decimal places.`,
    }),
    usage: t.field({
      type: [UsagePartInput],
      rule: { maxItems: mostUsage },
      description: `Quantities by dimension values, which are priced together. Up to ${mostUsage} items. Required unless \`quantities\` is set.`,
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
      "Returns the price of each quantity by a rate, with its lines. Doesn't store anything. If the rate or a quantity is invalid, `details.reason` of the error is `bad_rate`, `ambiguous_cells`, `bad_quantity`, `no_price_for_dimensions`, or `too_large`, and `details.problems` lists all problems.",
    rest: { method: 'POST', path: '/rates/preview', view: 'RatePreview' },
    errors: [['not_found', "the rate card doesn't exist"]],
    access: { scope: 'read' },
    args: { input: t.arg({ type: RatePreviewInput, required: true }) },
    resolve: (_root, { input }, ctx) => ratePreview(ctx, input),
  }),
);

builder.queryField('rateCards', (t) =>
  t.field({
    type: RateCardConnection,
    description: 'Lists rate cards, newest first.',
    rest: { method: 'GET', path: '/rate-cards', view: 'RateCard' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'RateCard', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('rateCard', (t) =>
  t.field({
    type: RateCard,
    description: 'Returns a rate card by ID or code.',
    rest: { method: 'GET', path: '/rate-cards/{id}', view: 'RateCard' },
    errors: [['not_found', "the rate card doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID or code of the rate card.' }) },
    resolve: (_root, { id }, ctx) => rateCardRows.require(ctx, id),
  }),
);
