import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { createMarket } from './create.ts';
import { marketRows, releaseCountries } from './store.ts';
import { Market } from './types.ts';
import { updateMarket } from './update.ts';

const countryCodes = { required: true, rule: { minItems: 1, format: 'country' } } as const;
const countries =
  'Countries of the market as uppercase ISO 3166-1 alpha-2 codes. At least one value, without duplicates.';

const MarketCreateInput = builder.inputType('MarketCreateInput', {
  description: 'Parameters for creating a market.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Name of the market. From 1 to 200 characters.',
    }),
    countryCodes: t.stringList({ ...countryCodes, description: countries }),
    metadata: t.field({ type: 'Json', description: 'Free-form metadata. Defaults to an empty object.' }),
  }),
});

builder.mutationField('marketCreate', (t) =>
  t.field({
    type: Market,
    description:
      'Creates a market. Prices can have separate amounts for each market. A country can be in only one market.',
    rest: { method: 'POST', path: '/markets', status: 201, view: 'Market' },
    errors: [['duplicate', 'another market has one of the countries']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: MarketCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createMarket(ctx, input),
  }),
);

const MarketUpdateInput = builder.inputType('MarketUpdateInput', {
  description: 'Parameters for changing a market. The name, countries, and metadata are replaced.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the market.' }),
    name: t.string({
      required: true,
      rule: name,
      description: 'Name of the market. From 1 to 200 characters.',
    }),
    countryCodes: t.stringList({
      ...countryCodes,
      description: `${countries} Replaces the stored countries.`,
    }),
    metadata: t.field({
      type: 'Json',
      description:
        'Free-form metadata. Replaces the stored metadata. If omitted, the stored metadata is removed.',
    }),
  }),
});

builder.mutationField('marketUpdate', (t) =>
  t.field({
    type: Market,
    description:
      'Replaces the name, countries, and metadata of a market. Subscriptions that completed their first checkout keep their market.',
    rest: {
      method: 'PATCH',
      path: '/markets/{id}',
      view: 'Market',
    },
    errors: ['market_not_found', ['duplicate', 'another market has one of the countries']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: MarketUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateMarket(ctx, input),
  }),
);

deletionField('marketDelete', {
  of: 'a market',
  reference: 'ID of the market.',
  description: 'Deletes a market. Its countries can be used in other markets.',
  path: '/markets/{id}',
  errors: [
    'market_not_found',
    [
      'market_in_use',
      'a price or subscription still uses the market, except for archived prices and canceled subscriptions',
    ],
  ],
  access: { scope: 'write' },
  delete: (ctx, id) => marketRows.delete(ctx, id, (tx, { id }) => releaseCountries(tx, id)),
});
