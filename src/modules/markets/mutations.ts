import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { createMarket } from './create.ts';
import { deleteMarket } from './delete.ts';
import { Market } from './types.ts';
import { updateMarket } from './update.ts';

const countryCodes = { required: true, rule: { minItems: 1, format: 'country' } } as const;
const countries =
  'Upper-case ISO 3166-1 alpha-2, at least one, each once; `duplicate` for one that another market has.';

const MarketCreateInput = builder.inputType('MarketCreateInput', {
  description: 'A new market.',
  fields: (t) => ({
    name: t.string({ required: true, rule: name, description: '1 to 200 characters.' }),
    countryCodes: t.stringList({ ...countryCodes, description: countries }),
    metadata: t.field({ type: 'Json', description: 'Free-form. Defaults to empty.' }),
  }),
});

builder.mutationField('marketCreate', (t) =>
  t.field({
    type: Market,
    description:
      'Creates a market, the key of market prices. A country is in one market at most: `duplicate`.',
    rest: { method: 'POST', path: '/markets', status: 201, view: 'Market', errors: ['duplicate'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: MarketCreateInput, required: true, description: 'The new market.' }) },
    resolve: (_root, { input }, ctx) => createMarket(ctx, input),
  }),
);

const MarketUpdateInput = builder.inputType('MarketUpdateInput', {
  description: 'What a market is from now on.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the market.' }),
    name: t.string({ required: true, rule: name, description: '1 to 200 characters.' }),
    countryCodes: t.stringList({ ...countryCodes, description: `Replaces the countries. ${countries}` }),
    metadata: t.field({ type: 'Json', description: 'Replaces the metadata; left out, it is emptied.' }),
  }),
});

builder.mutationField('marketUpdate', (t) =>
  t.field({
    type: Market,
    description:
      'Replaces name, countries and metadata of a market. Subscriptions past their first checkout keep the market they have.',
    rest: {
      method: 'PATCH',
      path: '/markets/{id}',
      view: 'Market',
      errors: ['market_not_found', 'duplicate'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: MarketUpdateInput, required: true, description: 'The market.' }) },
    resolve: (_root, { input }, ctx) => updateMarket(ctx, input),
  }),
);

const MarketDeleteInput = builder.inputType('MarketDeleteInput', {
  description: 'Which market to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the market.' }) }),
});

builder.mutationField('marketDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Deletes a market; its countries are free again. `market_in_use` while a selectable price or a live subscription refers to it.',
    rest: {
      method: 'DELETE',
      path: '/markets/{id}',
      view: 'DeletedObject',
      errors: ['market_not_found', 'market_in_use'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: MarketDeleteInput, required: true, description: 'The market.' }) },
    resolve: (_root, { input }, ctx) => deleteMarket(ctx, input.id),
  }),
);
