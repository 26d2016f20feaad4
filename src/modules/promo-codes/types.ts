import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { BillingInterval } from '../plans/enums.ts';

export const PromoCode = builder.prismaObject('PromoCode', {
  ...node({ prefix: 'prc' }),
  description: 'A code customers enter to get an offer, as often as its limits allow.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `prc_…`.' }),
    code: t.exposeString('code', { description: 'Unique in the environment, in upper case. Never changed.' }),
    offerId: t.exposeID('offerId', { description: 'Id of the offer it grants. Never changed.' }),
    offer: t.row('offer', { description: 'The offer it grants, deleted or not.' }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'Null when it is for every interval.',
    }),
    planIds: t.computed({
      type: ['ID'],
      description: 'Ids of the plans it is for; empty when it is for all.',
      columns: ['planIds'],
      resolve: ({ planIds }) => planIds,
    }),
    maxRedemptions: t.expose('maxRedemptions', {
      type: 'SafeInt',
      nullable: true,
      description: 'How often it can be redeemed in all; null without a limit.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on it is rejected; null when it does not expire.',
    }),
    isActive: t.exposeBoolean('isActive', {
      description: 'False while it is switched off; written as `active`.',
    }),
    redemptionCount: t.expose('redemptionCount', {
      type: 'SafeInt',
      description: 'How often a checkout was completed with it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Business time of the last change of its limits.',
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
