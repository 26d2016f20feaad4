import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { OfferPhaseObject, phasesSelection } from './phases.ts';

export const Offer = builder.prismaObject('Offer', {
  ...node({ prefix: 'ofr' }),
  description:
    "A reusable sequence of free trials, discounts, and temporary prices. An offer isn't tied to a plan, price, customer, or channel.",
  fields: (t) => ({
    ...t.columns('id', 'name'),
    phases: t.computed({
      type: [OfferPhaseObject],
      description: 'Phases in the order in which they apply. From 1 to 10 phases.',
      columns: ['phases'],
      resolve: ({ phases }) => phases,
    }),
    ...t.columns('metadata', 'startsAt', 'endsAt', 'active'),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('offer'),
  }),
});

export const OfferConnection = connectionOf('Offer', Offer, 'offers');

builder.prismaObjectField('PlanPrice', 'introductoryOffer', (t) =>
  t.row('introductoryOffer', {
    description: 'Introductory offer of the base price. `null` if the price has no introductory offer.',
  }),
);

restView(
  'Offer',
  'Offer',
  `id name ${phasesSelection} metadata startsAt endsAt active createdAt updatedAt object livemode`,
);
restView('DeletedOffer', 'DeletedObject', 'deleted object livemode');
