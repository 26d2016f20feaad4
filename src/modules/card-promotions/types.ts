import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { BillingInterval } from '../plans/enums.ts';

export const CardPromotion = builder.prismaObject('CardPromotion', {
  ...node({ prefix: 'cpr' }),
  description: 'Hands out an offer to payers whose card begins with certain digits.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `cpr_…`.' }),
    offerId: t.exposeID('offerId', { description: 'Id of the offer it grants.' }),
    offer: t.row('offer', { description: 'The offer it grants, deleted or not.' }),
    bins: t.fromRows('bins', {
      orderBy: 'id',
      columns: ['id'],
      type: ['String'],
      description:
        'First digits of the cards it is for, 6 or 8 of them, ascending. Among two promotions the longer match wins.',
      resolve: (bins) => bins.map(({ id }) => id),
    }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'Null when it is for every interval.',
    }),
    autoDiscovered: t.exposeBoolean('autoDiscovered', { description: 'False when it must be preselected.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    object: t.string({ description: 'Always `card_promotion`.', resolve: () => 'card_promotion' }),
    livemode: t.livemode(),
  }),
});

export const CardPromotionConnection = connectionOf('CardPromotion', CardPromotion, 'card promotions');
