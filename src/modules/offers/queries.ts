import { builder } from '../../graphql/builder.ts';
import { readList } from '../../graphql/lists.ts';
import { offerList } from './list.ts';
import { findRetentionOffer, requireOffer } from './store.ts';
import { Offer, OfferConnection } from './types/offer.ts';

builder.queryField('offers', (t) =>
  t.field({
    type: OfferConnection,
    description: 'Offers, newest first; deleted ones are left out.',
    rest: { method: 'GET', path: '/offers', view: 'Offer' },
    access: { scope: 'read' },
    args: {
      ...offerList.args,
      active: t.arg.boolean({
        description: 'Only those switched on, or only those switched off. Defaults to both.',
      }),
    },
    resolve: (_root, { active, ...page }, ctx) =>
      readList(ctx, offerList, page, { filter: { deletedAt: null, active: active ?? undefined } }),
  }),
);

builder.queryField('offer', (t) =>
  t.field({
    type: Offer,
    description: 'One offer; `offer_not_found` when there is none or it was deleted.',
    rest: { method: 'GET', path: '/offers/{id}', view: 'Offer', errors: ['offer_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the offer.' }) },
    resolve: (_root, { id }, ctx) => requireOffer(ctx, id),
  }),
);

builder.queryField('retentionOffer', (t) =>
  t.field({
    type: Offer,
    nullable: true,
    description:
      'The offer that the portal makes to customers who are about to leave; null where none is named. One that is switched off or outside its window is named still, and made again once it can be given out.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => findRetentionOffer(ctx),
  }),
);
