import { creditsPool } from '../../../domain/pricing/pools.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import type { AssetShape } from './store.ts';

export const CreditPack = builder.prismaObject('CreditPack', {
  ...node({ prefix: 'cpk' }),
  description:
    'Package of credits or another custom unit that customers can purchase if their plan has a pool of the unit.',
  fields: (t) => ({
    ...t.columns('id', 'name', 'description', 'credits'),
    asset: t.computed({
      type: 'String',
      nullable: true,
      description: 'Code of the custom unit that the credit pack sells. `null` if the pack sells credits.',
      columns: ['asset'],
      resolve: ({ asset }) => (asset === creditsPool ? null : asset),
    }),
    price: t.column('priceMinor'),
    currency: t.field({
      type: Currency,
      description: 'Currency of `price`. Always `usd`.',
      resolve: () => 'usd',
    }),
    ...t.columns('isActive', 'validDays', 'refundTakesBack', 'createdAt', 'updatedAt'),
    ...t.resource('credit_pack'),
  }),
});

export const CreditPackConnection = connectionOf('CreditPack', CreditPack, 'credit packs');

restView(
  'CreditPack',
  'CreditPack',
  'id name description credits asset price isActive validDays refundTakesBack createdAt updatedAt object livemode',
  { absentWhenUnset: ['asset', 'validDays', 'refundTakesBack'] },
);
restView(
  'CreditPackListItem',
  'CreditPack',
  'id name description credits asset price currency validDays object livemode',
  { absentWhenUnset: ['asset', 'validDays'] },
);

export const Asset = builder.objectRef<AssetShape>('Asset').implement({
  description: 'Custom unit in which a plan can include a pool, such as credits or GPU seconds.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `ast_`.'),
    code: t
      .member('code', 'String')
      .describe('Code of the unit, unique in the environment. Never changes. `credits` always exists.'),
    name: t.member('name', 'String').describe('Name of the unit.'),
    symbol: t.maybe('symbol', 'String').describe('Symbol of the unit. `null` if not set.'),
    decimals: t
      .member('decimals', 'Int')
      .describe(
        'Number of decimals, from 0 to 6. Amounts of lots are integers in the smallest amount of the unit: with 3 decimals, 1,000 = 1 unit. Never changes.',
      ),
    createdAt: t
      .maybe('createdAt', 'DateTime')
      .describe(
        "Time at which the unit was created. In a sandbox, the test clock's time. `null` if the unit is `credits`.",
      ),
    updatedAt: t
      .maybe('updatedAt', 'DateTime')
      .describe('Time of the last change to the unit. `null` if the unit is `credits`.'),
    archivedAt: t
      .maybe('archivedAt', 'DateTime')
      .describe('Time at which the unit was archived. `null` if plans can use the unit.'),
    ...t.resource('asset'),
  }),
});

restView('Asset', 'Asset', 'id code name symbol decimals createdAt updatedAt archivedAt object livemode');
