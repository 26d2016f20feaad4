import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { OfferPhaseInput } from './phase-input.ts';
import { Offer } from './types.ts';
import { createOffer, deleteOffer, updateOffer } from './write.ts';

const shownName = { required: true, rule: name, description: 'Shown to customers, 1 to 200 characters.' } as const;
const phases = { minItems: 1, maxItems: 10 } as const;
const bound = { nullable: true } as const;

const OfferCreateInput = builder.inputType('OfferCreateInput', {
  description: 'A new offer.',
  fields: (t) => ({
    name: t.string(shownName),
    phases: t.field({ type: [OfferPhaseInput], required: true, rule: phases, description: '1 to 10, in the order they are enjoyed.' }),
    metadata: t.field({ type: 'Json', description: 'Free-form; empty unless told.' }),
    startsAt: t.field({ type: 'DateTime', rule: bound, description: 'From when on it can be given out; no bound unless told.' }),
    endsAt: t.field({
      type: 'DateTime',
      rule: bound,
      description: 'When it can no longer be given out, after `startsAt`; no bound unless told.',
    }),
    active: t.boolean({ rule: { default: true }, description: 'True unless told; false keeps it from being given out.' }),
  }),
});

builder.mutationField('offerCreate', (t) =>
  t.field({
    type: Offer,
    description: 'Creates an offer (OFR-1 to OFR-4).',
    rest: { method: 'POST', path: '/offers', status: 201, view: 'Offer' },
    access: { scope: 'write' },
    args: { input: t.arg({ type: OfferCreateInput, required: true, description: 'The new offer.' }) },
    resolve: (_root, { input }, context) => createOffer(context, input),
  }),
);

const OfferUpdateInput = builder.inputType('OfferUpdateInput', {
  description: 'New terms of an offer: name and phases are replaced, the rest stays as it is when left out.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the offer.' }),
    name: t.string(shownName),
    phases: t.field({ type: [OfferPhaseInput], required: true, rule: phases, description: '1 to 10; they replace the stored ones.' }),
    metadata: t.field({ type: 'Json', description: 'Replaces the stored metadata.' }),
    startsAt: t.field({ type: 'DateTime', rule: bound, description: 'From when on it can be given out; null for no bound.' }),
    endsAt: t.field({
      type: 'DateTime',
      rule: bound,
      description: 'When it can no longer be given out, after `startsAt`; null for no bound.',
    }),
    active: t.boolean({ description: 'False keeps it from being given out; true brings it back.' }),
  }),
});

builder.mutationField('offerUpdate', (t) =>
  t.field({
    type: Offer,
    description: 'Replaces the terms of an offer. What was quoted or accepted before keeps its terms (OFR-5).',
    rest: { method: 'PATCH', path: '/offers/{id}', view: 'Offer', errors: ['offer_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: OfferUpdateInput, required: true, description: 'The new terms.' }) },
    resolve: (_root, { input }, context) => updateOffer(context, input),
  }),
);

const OfferDeleteInput = builder.inputType('OfferDeleteInput', {
  description: 'Which offer to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the offer.' }) }),
});

builder.mutationField('offerDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Deletes an offer: it can no longer be given out, and it leaves the prices it was placed on. What was quoted or accepted before stays (OFR-5).',
    rest: { method: 'DELETE', path: '/offers/{id}', view: 'DeletedOffer', errors: ['offer_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: OfferDeleteInput, required: true, description: 'The offer.' }) },
    resolve: (_root, { input }, context) => deleteOffer(context, input.id),
  }),
);
