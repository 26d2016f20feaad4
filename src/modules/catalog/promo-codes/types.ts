import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';

export const PromoCode = builder.prismaObject('PromoCode', {
  ...node({ prefix: 'prc' }),
  description: 'A code that customers enter at checkout to get an offer, subject to the limits of the code.',
  fields: (t) => ({
    ...t.columns('id', 'code', 'offerId'),
    offer: t.row('offer', { description: 'Offer that the code grants. A deleted offer is also returned.' }),
    ...t.columns('billingInterval'),
    planIds: t.computed({
      type: ['ID'],
      description: 'IDs of the plans that the code is valid for. Empty if the code is valid for all plans.',
      columns: ['planIds'],
      resolve: ({ planIds }) => planIds,
    }),
    ...t.columns('maxRedemptions', 'expiresAt'),
    ...t.columns('isActive', 'redemptionCount'),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('promo_code'),
  }),
});

export const PromoCodeConnection = connectionOf('PromoCode', PromoCode, 'promo codes');

restView(
  'PromoCode',
  'PromoCode',
  'id code offerId billingInterval maxRedemptions expiresAt isActive redemptionCount createdAt updatedAt object livemode',
);
