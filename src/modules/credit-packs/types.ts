import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { Currency } from '../currencies/enums.ts';

export const CreditPack = builder.prismaObject('CreditPack', {
  ...node({ prefix: 'cpk' }),
  description: 'A block of credits that subscribers of credits plans can buy.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `cpk_…`.' }),
    name: t.exposeString('name', { description: 'Unique in the environment.' }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    credits: t.expose('credits', { type: 'SafeInt', description: 'How many credits one purchase grants.' }),
    price: t.expose('priceMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'US cents for one purchase.',
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of `price`: always `usd`.',
      resolve: () => 'usd',
    }),
    isActive: t.exposeBoolean('isActive', { description: 'False takes it off the list and out of sale.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
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
