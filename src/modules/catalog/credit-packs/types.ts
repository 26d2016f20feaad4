import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';

export const CreditPack = builder.prismaObject('CreditPack', {
  ...node({ prefix: 'cpk' }),
  description:
    'Package of credits that customers can purchase if their plan has the consumption model `credits`.',
  fields: (t) => ({
    ...t.columns('id', 'name', 'description', 'credits'),
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
  'id name description credits price isActive validDays refundTakesBack createdAt updatedAt object livemode',
  { absentWhenUnset: ['validDays', 'refundTakesBack'] },
);
restView(
  'CreditPackListItem',
  'CreditPack',
  'id name description credits price currency validDays object livemode',
  { absentWhenUnset: ['validDays'] },
);
