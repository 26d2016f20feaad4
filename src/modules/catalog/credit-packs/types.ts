import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';

export const CreditPack = builder.prismaObject('CreditPack', {
  ...node({ prefix: 'cpk' }),
  description: 'An amount of credits that subscribers to credits plans can purchase.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    credits: t.expose('credits', { type: 'SafeInt' }),
    price: t.expose('priceMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of `price`: always `usd`.',
      resolve: () => 'usd',
    }),
    isActive: t.exposeBoolean('isActive'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    object: t.string({ description: 'Always `credit_pack`.', resolve: () => 'credit_pack' }),
    livemode: t.livemode(),
  }),
});

export const CreditPackConnection = connectionOf('CreditPack', CreditPack, 'credit packs');

restView(
  'CreditPack',
  'CreditPack',
  'id name description credits price isActive createdAt updatedAt object livemode',
);
restView('CreditPackListItem', 'CreditPack', 'id name description credits price currency object livemode');
