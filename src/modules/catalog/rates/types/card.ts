import { type CardDocument, isCardDocument, type RateOverride } from '../../../../domain/rates/card.ts';
import { ownList, type PriceDocument } from '../../../../domain/rates/derived.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { Rate, rateFields } from '../types.ts';

const RateCell = builder.objectRef<CardDocument['cells'][number]>('RateCell').implement({
  description: 'Rate for usage with certain dimension values.',
  fields: (t) => ({
    when: t
      .member('when', 'Json')
      .describe('Values by dimension. The rate applies to usage with one of the values of each dimension.'),
    rate: t.member('rate', Rate).describe('Rate of the usage.'),
  }),
});

/** Override of a card in a market or currency. */
type CardOverride = Omit<RateOverride, 'rate'> & { readonly rate: CardDocument };

/** Returns the overrides that replace a card. */
const cardOverrides = (overrides: readonly RateOverride[]): readonly CardOverride[] =>
  overrides.flatMap(({ rate, ...override }) => (isCardDocument(rate) ? [{ ...override, rate }] : []));

const RateCardOverride = builder.objectRef<CardOverride>('RateCardOverride').implement({
  description:
    'Rates by dimension that replace other rates in a market or in a currency. Amounts are decimals in units of the currency.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    marketId: t
      .maybe('marketId', 'ID')
      .describe(
        'ID of the market. `null` if the rates apply in all markets that have no other rates in the currency.',
      ),
    cells: t.field({
      type: [RateCell],
      complexity: { multiplier: 5 },
      description: 'Rates for combinations of dimension values.',
      resolve: ({ rate }) => rate.cells,
    }),
    default: t.field({
      type: Rate,
      nullable: true,
      description: 'Rate for all other usage. `null` if other usage is rejected.',
      resolve: ({ rate }) => rate.default ?? null,
    }),
    minimum: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Lowest sum of the prices of all cells. `null` if there is no minimum.',
      resolve: ({ rate }) => rate.minimum ?? null,
    }),
    maximum: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Highest sum of the prices of all cells. `null` if there is no maximum.',
      resolve: ({ rate }) => rate.maximum ?? null,
    }),
  }),
});

/** Card of a feature or add-on, with its overrides in markets and currencies. */
type ShownCard = CardDocument & { readonly overrides: readonly CardOverride[] };

/** Returns the rates by dimension of a price with their overrides. `null` if the price has no rates by dimension. */
export function shownCard(rate: PriceDocument | null, overrides: readonly RateOverride[]): ShownCard | null {
  const list = ownList(rate);
  return list !== null && isCardDocument(list) ? { ...list, overrides: cardOverrides(overrides) } : null;
}

const overridesText =
  'Rates that replace the rates in markets and currencies, sorted by currency. `null` if the rates have no overrides.';

export const FeatureRateCard = builder.objectRef<ShownCard>('FeatureRateCard').implement({
  description:
    'Rates by dimension. Usage belongs to the matching cell with the most dimensions. The price is the sum of the prices of all cells.',
  fields: (t) => ({
    rateCardId: t.id({
      nullable: true,
      description: 'ID of the saved rate card. `null` if the feature or add-on has its own rates.',
      resolve: ({ rateCardId }) => rateCardId ?? null,
    }),
    cells: t.field({
      type: [RateCell],
      complexity: { multiplier: 5 },
      description: 'Rates for combinations of dimension values.',
      resolve: ({ cells }) => cells,
    }),
    default: t.field({
      type: Rate,
      nullable: true,
      description: 'Rate for all other usage. `null` if other usage is rejected.',
      resolve: (card) => card.default ?? null,
    }),
    minimum: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Lowest sum of the prices of all cells. `null` if there is no minimum.',
      resolve: ({ minimum }) => minimum ?? null,
    }),
    maximum: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Highest sum of the prices of all cells. `null` if there is no maximum.',
      resolve: ({ maximum }) => maximum ?? null,
    }),
    overrides: t.field({
      type: [RateCardOverride],
      complexity: { multiplier: 2 },
      nullable: true,
      description: overridesText,
      resolve: ({ overrides }) => (overrides.length === 0 ? null : overrides),
    }),
  }),
});

const listFields = `cells { when rate { ${rateFields} } } default { ${rateFields} } minimum maximum`;

/** Fields of a card in REST responses. */
const cardFields = `${listFields} overrides { currency marketId ${listFields} }`;

/** Fields of a feature's card in REST responses. */
export const featureCardFields = `rateCardId ${cardFields}`;

export const RateCard = builder.prismaObject('RateCard', {
  ...node({ prefix: 'rcd' }),
  description: 'A saved list of rates by dimension, for the features of several plans and add-ons.',
  fields: (t) => ({
    ...t.columns('id', 'code', 'name', 'version'),
    cells: t.computed({
      type: [RateCell],
      complexity: { multiplier: 5 },
      description: 'Rates for combinations of dimension values.',
      columns: ['card'],
      resolve: ({ card }) => card.cells,
    }),
    default: t.computed({
      type: Rate,
      nullable: true,
      description: 'Rate for all other usage. `null` if other usage is rejected.',
      columns: ['card'],
      resolve: ({ card }) => card.default ?? null,
    }),
    minimum: t.computed({
      type: 'Decimal',
      nullable: true,
      description: 'Lowest sum of the prices of all cells. `null` if there is no minimum.',
      columns: ['card'],
      resolve: ({ card }) => card.minimum ?? null,
    }),
    maximum: t.computed({
      type: 'Decimal',
      nullable: true,
      description: 'Highest sum of the prices of all cells. `null` if there is no maximum.',
      columns: ['card'],
      resolve: ({ card }) => card.maximum ?? null,
    }),
    overrides: t.computed({
      type: [RateCardOverride],
      complexity: { multiplier: 2 },
      nullable: true,
      description: overridesText,
      columns: ['overrides'],
      resolve: ({ overrides }) => (overrides.length === 0 ? null : cardOverrides(overrides)),
    }),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('rate_card'),
  }),
});

export const RateCardConnection = connectionOf('RateCard', RateCard, 'rate cards');

restView('RateCard', 'RateCard', `id code name version ${cardFields} createdAt updatedAt object livemode`, {
  absentWhenUnset: ['overrides'],
});
