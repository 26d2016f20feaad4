import { builder } from '../../../graphql/builder.ts';
import { node } from '../../../graphql/node.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import { restView } from '../../../graphql/rest.ts';
import { OfferPhaseObject, phasesSelection } from './phases.ts';

export const Offer = builder.prismaObject('Offer', {
  ...node({ prefix: 'ofr' }),
  description:
    'Reusable terms: trials, discounts and temporary prices, one after another. It knows no plan, price, audience or channel.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `ofr_…`.' }),
    name: t.exposeString('name', { description: 'Shown to customers.' }),
    phases: t.computed({
      type: [OfferPhaseObject],
      description: '1 to 10, in order.',
      columns: ['phases'],
      resolve: ({ phases }) => phases,
    }),
    metadata: t.expose('metadata', {
      type: 'Json',
      description: 'Free-form; an empty object when none was given.',
    }),
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on it can be given out; null for no bound.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it can no longer be given out; null for no bound.',
    }),
    active: t.exposeBoolean('active', { description: 'False keeps it from being given out.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    object: t.string({ description: 'Always `offer`.', resolve: () => 'offer' }),
    livemode: t.livemode(),
  }),
});

export const OfferConnection = connectionOf('Offer', Offer, 'offers');

builder.prismaObjectField('PlanPrice', 'introductoryOffer', (t) =>
  t.row('introductoryOffer', {
    description: 'The introductory offer placed on this base price; null without one.',
  }),
);

restView(
  'Offer',
  'Offer',
  `id name ${phasesSelection} metadata startsAt endsAt active createdAt updatedAt object livemode`,
);
restView('DeletedOffer', 'DeletedObject', 'deleted object livemode');
