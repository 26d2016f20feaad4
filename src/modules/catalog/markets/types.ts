import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';

export const Market = builder.prismaObject('Market', {
  ...node({ prefix: 'pmg' }),
  description: 'A group of countries that share prices.',
  fields: (t) => ({
    ...t.columns('id', 'name'),
    countryCodes: t.fromRows('countries', {
      orderBy: 'position',
      columns: ['countryCode'],
      type: ['String'],
      description:
        'Countries of the market as uppercase ISO 3166-1 alpha-2 codes, in the order in which they were set. A country can be in only one market.',
      resolve: (countries) => countries.map(({ countryCode }) => countryCode),
    }),
    ...t.columns('metadata', 'createdAt', 'updatedAt'),
    ...t.resource('market'),
  }),
});

export const MarketConnection = connectionOf('Market', Market, 'markets');

restView('Market', 'Market', 'id name countryCodes metadata createdAt updatedAt object livemode');
