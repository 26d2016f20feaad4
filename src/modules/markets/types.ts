import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';

export const Market = builder.prismaObject('Market', {
  ...node({ prefix: 'pmg' }),
  description: 'Countries that share prices.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pmg_…`.' }),
    name: t.exposeString('name', { description: 'Names need not be unique.' }),
    countryCodes: t.fromRows('countries', {
      orderBy: 'position',
      columns: ['countryCode'],
      type: ['String'],
      description:
        'Upper-case ISO 3166-1 alpha-2, in the order they were given. A country is in one market at most.',
      resolve: (countries) => countries.map(({ countryCode }) => countryCode),
    }),
    metadata: t.expose('metadata', {
      type: 'Json',
      description: 'Free-form; an empty object when none was given.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    object: t.string({ description: 'Always `market`.', resolve: () => 'market' }),
    livemode: t.livemode(),
  }),
});

export const MarketConnection = connectionOf('Market', Market, 'markets');

restView('Market', 'Market', 'id name countryCodes metadata createdAt updatedAt object livemode');
