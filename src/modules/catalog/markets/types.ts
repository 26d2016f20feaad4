import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';

export const Market = builder.prismaObject('Market', {
  ...node({ prefix: 'pmg' }),
  description: 'A group of countries that share prices.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    countryCodes: t.fromRows('countries', {
      orderBy: 'position',
      columns: ['countryCode'],
      type: ['String'],
      description:
        'Countries of the market as uppercase ISO 3166-1 alpha-2 codes, in the order in which they were set. A country can be in only one market.',
      resolve: (countries) => countries.map(({ countryCode }) => countryCode),
    }),
    metadata: t.expose('metadata', {
      type: 'Json',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    object: t.string({ description: 'Always `market`.', resolve: () => 'market' }),
    livemode: t.livemode(),
  }),
});

export const MarketConnection = connectionOf('Market', Market, 'markets');

restView('Market', 'Market', 'id name countryCodes metadata createdAt updatedAt object livemode');
