import { code, name } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { deletionField } from '../../../../graphql/reading/deleted.ts';
import { rateCardRows, rejectUsedCard } from '../../rates/store.ts';
import { RateCard } from '../../rates/types/card.ts';
import { cardInputFields } from '../../rates/types/inputs.ts';
import { createRateCard, updateRateCard } from '../set-rate-card.ts';

const invalidText =
  'If the rates are invalid, `details.reason` of the error is `bad_rate`, and `details.problems` lists all problems. The reason is `ambiguous_cells` if two cells with the same number of dimensions can match the same usage.';

const RateCardCreateInput = builder.inputType('RateCardCreateInput', {
  description: 'Parameters for creating a rate card.',
  fields: (t) => ({
    code: t.string({
      required: true,
      rule: code,
      description:
        "Code of the rate card, unique in the environment. From 1 to 50 lowercase letters, digits, and underscores. Can't be changed later.",
    }),
    name: t.string({
      required: true,
      rule: name,
      description: 'Name of the rate card. From 1 to 200 characters.',
    }),
    ...cardInputFields(t),
  }),
});

builder.mutationField('rateCardCreate', (t) =>
  t.field({
    type: RateCard,
    description: `Creates a rate card: rates by dimension that features of several plans and add-ons can have. ${invalidText}`,
    rest: { method: 'POST', path: '/rate-cards', status: 201, view: 'RateCard' },
    errors: [
      ['duplicate', 'another rate card has the same code'],
      ['market_not_found', "the market of an override doesn't exist"],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: RateCardCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createRateCard(ctx, input),
  }),
);

export const RateCardUpdateInput = builder.inputType('RateCardUpdateInput', {
  description: 'Parameters for changing a rate card. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID or code of the rate card.' }),
    name: t.string({ rule: name, description: 'Name of the rate card. From 1 to 200 characters.' }),
    ...cardInputFields(t),
  }),
});

builder.mutationField('rateCardUpdate', (t) =>
  t.field({
    type: RateCard,
    description: `Changes a rate card. New rates apply to all features that refer to the rate card: in current periods, usage has the lower price of the old and the new rates, and the new rates alone apply from the next period. ${invalidText} The reason is \`unknown_dimension\` if the meter of a feature lacks a dimension.`,
    rest: { method: 'PATCH', path: '/rate-cards/{id}', view: 'RateCard' },
    errors: [
      ['not_found', "the rate card doesn't exist or was deleted"],
      ['market_not_found', "the market of an override doesn't exist"],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: RateCardUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateRateCard(ctx, input),
  }),
);

deletionField('rateCardDelete', {
  of: 'a rate card',
  reference: 'ID or code of the rate card.',
  description: 'Deletes a rate card. Its code can be used again.',
  path: '/rate-cards/{id}',
  errors: [
    ['not_found', "the rate card doesn't exist or was deleted"],
    ['price_in_use', 'a feature of a plan or an add-on refers to the rate card'],
  ],
  access: { scope: 'write' },
  delete: (ctx, id) => rateCardRows.delete(ctx, id, (tx, row) => rejectUsedCard(tx, row)),
});
