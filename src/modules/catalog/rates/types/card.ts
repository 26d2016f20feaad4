import type { CardDocument } from '../../../../domain/rates/card.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
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

export const FeatureRateCard = builder.objectRef<CardDocument>('FeatureRateCard').implement({
  description:
    'Rates by dimension. Usage belongs to the matching cell with the most dimensions. The price is the sum of the prices of all cells.',
  fields: (t) => ({
    rateCardId: t.id({
      nullable: true,
      description: 'ID of the saved rate card. `null` if the feature has its own rates.',
      resolve: ({ rateCardId }) => rateCardId ?? null,
    }),
    cells: t.field({
      type: [RateCell],
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
  }),
});

/** Fields of a card in REST responses. */
const cardFields = `cells { when rate { ${rateFields} } } default { ${rateFields} } minimum maximum`;

/** Fields of a feature's card in REST responses. */
export const featureCardFields = `rateCardId ${cardFields}`;

export const RateCard = builder.prismaObject('RateCard', {
  ...node({ prefix: 'rcd' }),
  description: 'A saved list of rates by dimension, for the features of several plans and add-ons.',
  fields: (t) => ({
    ...t.columns('id', 'code', 'name', 'version'),
    cells: t.computed({
      type: [RateCell],
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
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('rate_card'),
  }),
});

export const RateCardConnection = connectionOf('RateCard', RateCard, 'rate cards');

restView('RateCard', 'RateCard', `id code name version ${cardFields} createdAt updatedAt object livemode`);
