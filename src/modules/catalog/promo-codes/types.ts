import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { BillingInterval } from '../plans/enums.ts';

export const PromoCode = builder.prismaObject('PromoCode', {
  ...node({ prefix: 'prc' }),
  description: 'A code that customers enter at checkout to get an offer, subject to the limits of the code.',
  fields: (t) => ({
    id: t.exposeID('id'),
    code: t.exposeString('code'),
    offerId: t.exposeID('offerId'),
    offer: t.row('offer', { description: 'Offer that the code grants, even if the offer was deleted.' }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
    }),
    planIds: t.computed({
      type: ['ID'],
      description: 'IDs of the plans that the code is valid for. Empty if the code is valid for all plans.',
      columns: ['planIds'],
      resolve: ({ planIds }) => planIds,
    }),
    maxRedemptions: t.expose('maxRedemptions', {
      type: 'SafeInt',
      nullable: true,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
    }),
    isActive: t.exposeBoolean('isActive'),
    redemptionCount: t.expose('redemptionCount', {
      type: 'SafeInt',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
    }),
    object: t.string({ description: 'Always `promo_code`.', resolve: () => 'promo_code' }),
    livemode: t.livemode(),
  }),
});

export const PromoCodeConnection = connectionOf('PromoCode', PromoCode, 'promo codes');

restView(
  'PromoCode',
  'PromoCode',
  'id code offerId billingInterval maxRedemptions expiresAt isActive redemptionCount createdAt updatedAt object livemode',
);
