import { builder } from '../../../graphql/reading/builder.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { offerList } from './list.ts';
import { findRetentionOffer, offerRows } from './store.ts';
import { Offer, OfferConnection } from './types/offer.ts';

builder.queryField('offers', (t) =>
  t.field({
    type: OfferConnection,
    description: "Lists offers, newest first by default. Deleted offers aren't included.",
    rest: { method: 'GET', path: '/offers', view: 'Offer' },
    access: { scope: 'read' },
    args: {
      ...offerList.args,
      active: t.arg.boolean({
        description:
          'Whether to return active (`true`) or inactive (`false`) offers. Defaults to all offers.',
      }),
    },
    resolve: (_root, { active, ...page }, ctx) =>
      readList(ctx, offerList, page, { filter: { deletedAt: null, active: active ?? undefined } }),
  }),
);

builder.queryField('offer', (t) =>
  t.field({
    type: Offer,
    description: 'Returns an offer.',
    rest: { method: 'GET', path: '/offers/{id}', view: 'Offer' },
    errors: [['offer_not_found', "the offer doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the offer.' }) },
    resolve: (_root, { id }, ctx) => offerRows.require(ctx, id),
  }),
);

builder.queryField('retentionOffer', (t) =>
  t.field({
    type: Offer,
    nullable: true,
    description:
      'Returns the retention offer, which the customer portal shows to customers who are about to cancel. `null` if no retention offer is set. An inactive offer, or an offer outside its availability period, is also returned. The portal shows the offer as soon as the offer can be applied.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => findRetentionOffer(ctx),
  }),
);
