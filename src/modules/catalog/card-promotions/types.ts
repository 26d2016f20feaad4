import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';

export const CardPromotion = builder.prismaObject('CardPromotion', {
  ...node({ prefix: 'cpr' }),
  description:
    'Promotion that grants an offer to customers who pay with eligible cards, identified by the first digits of the card number (BIN).',
  fields: (t) => ({
    ...t.columns('id', 'offerId'),
    offer: t.row('offer', {
      description: 'Offer that the promotion grants. A deleted offer is also returned.',
    }),
    bins: t.fromRows('bins', {
      orderBy: 'id',
      columns: ['id'],
      type: ['String'],
      description:
        'BINs of the eligible cards, in ascending order. A BIN is the first 6 or 8 digits of a card number. If two promotions match a card, the promotion with the longer BIN applies.',
      resolve: (bins) => bins.map(({ id }) => id),
    }),
    ...t.columns('billingInterval', 'autoDiscovered'),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('card_promotion'),
  }),
});

export const CardPromotionConnection = connectionOf('CardPromotion', CardPromotion, 'card promotions');
