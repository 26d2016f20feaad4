import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireCardPromotion } from './store.ts';
import { CardPromotion, CardPromotionConnection } from './types.ts';

builder.queryField('cardPromotions', (t) =>
  t.field({
    type: CardPromotionConnection,
    description: 'Card promotions, newest first; deleted ones are left out.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'CardPromotion', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('cardPromotion', (t) =>
  t.field({
    type: CardPromotion,
    description: 'One card promotion; `not_found` when there is none or it was deleted.',
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the card promotion.' }) },
    resolve: (_root, { id }, ctx) => requireCardPromotion(ctx, id),
  }),
);
