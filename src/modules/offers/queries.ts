import { builder } from '../../graphql/builder.ts';
import { listRows, pageArgs } from '../../graphql/pagination.ts';
import { requireOffer } from './service.ts';
import { Offer, OfferConnection } from './types.ts';

builder.queryField('offers', (t) =>
  t.field({
    type: OfferConnection,
    description: 'Offers, newest first; deleted ones are left out.',
    rest: { method: 'GET', path: '/offers', view: 'Offer' },
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      active: t.arg.boolean({ description: 'Only those switched on, or only those switched off; both unless told.' }),
    },
    resolve: (_root, { active, ...page }, context) =>
      listRows(context, 'Offer', page, { filter: { deletedAt: null, active: active ?? undefined } }),
  }),
);

builder.queryField('offer', (t) =>
  t.field({
    type: Offer,
    description: 'One offer; `offer_not_found` when there is none or it was deleted.',
    rest: { method: 'GET', path: '/offers/{id}', view: 'Offer', errors: ['offer_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the offer.' }) },
    resolve: (_root, { id }, context) => requireOffer(context, id),
  }),
);
