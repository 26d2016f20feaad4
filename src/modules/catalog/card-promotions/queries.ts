import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { cardPromotionRows } from './store.ts';
import { CardPromotion, CardPromotionConnection } from './types.ts';

builder.queryField('cardPromotions', (t) =>
  t.field({
    type: CardPromotionConnection,
    description: "Lists card promotions, newest first. Deleted promotions aren't included.",
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'CardPromotion', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('cardPromotion', (t) =>
  t.field({
    type: CardPromotion,
    description: 'Returns a card promotion.',
    errors: [['not_found', "the card promotion doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the card promotion.' }) },
    resolve: (_root, { id }, ctx) => cardPromotionRows.require(ctx, id),
  }),
);
