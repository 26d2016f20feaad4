import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { PlanPrice } from '../plan-prices/types.ts';
import { createOffer } from './create.ts';
import { deleteOffer } from './delete.ts';
import { placeIntroductoryOffer } from './place.ts';
import { setRetentionOffer } from './set-retention.ts';
import { Offer } from './types/offer.ts';
import { OfferPhaseInput } from './types/phase-input.ts';
import { updateOffer } from './update.ts';

const shownName = {
  required: true,
  rule: name,
  description: 'Shown to customers, 1 to 200 characters.',
} as const;
const phases = { minItems: 1, maxItems: 10 } as const;
const bound = { nullable: true } as const;

const OfferCreateInput = builder.inputType('OfferCreateInput', {
  description: 'A new offer.',
  fields: (t) => ({
    name: t.string(shownName),
    phases: t.field({
      type: [OfferPhaseInput],
      required: true,
      rule: phases,
      description: '1 to 10, in the order they are enjoyed.',
    }),
    metadata: t.field({ type: 'Json', description: 'Free-form. Defaults to empty.' }),
    startsAt: t.field({
      type: 'DateTime',
      rule: bound,
      description: 'From when on it can be given out. Unbounded by default.',
    }),
    endsAt: t.field({
      type: 'DateTime',
      rule: bound,
      description: 'When it can no longer be given out, after `startsAt`. Unbounded by default.',
    }),
    active: t.boolean({
      rule: { default: true },
      description: 'Defaults to true; false keeps it from being given out.',
    }),
  }),
});

builder.mutationField('offerCreate', (t) =>
  t.field({
    type: Offer,
    description: 'Creates an offer.',
    rest: { method: 'POST', path: '/offers', status: 201, view: 'Offer' },
    access: { scope: 'write' },
    args: { input: t.arg({ type: OfferCreateInput, required: true, description: 'The new offer.' }) },
    resolve: (_root, { input }, ctx) => createOffer(ctx, input),
  }),
);

const OfferUpdateInput = builder.inputType('OfferUpdateInput', {
  description: 'New terms of an offer: name and phases are replaced, the rest stays as it is when left out.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the offer.' }),
    name: t.string(shownName),
    phases: t.field({
      type: [OfferPhaseInput],
      required: true,
      rule: phases,
      description: '1 to 10; they replace the stored ones.',
    }),
    metadata: t.field({ type: 'Json', description: 'Replaces the stored metadata.' }),
    startsAt: t.field({
      type: 'DateTime',
      rule: bound,
      description: 'From when on it can be given out; null for no bound.',
    }),
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
    description: 'Replaces the terms of an offer. What was quoted or accepted before keeps its terms.',
    rest: { method: 'PATCH', path: '/offers/{id}', view: 'Offer', errors: ['offer_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: OfferUpdateInput, required: true, description: 'The new terms.' }) },
    resolve: (_root, { input }, ctx) => updateOffer(ctx, input),
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
      'Deletes an offer: it can no longer be given out, it leaves the prices it was placed on, and it is no longer the offer to stay. What was quoted or accepted before stays.',
    rest: { method: 'DELETE', path: '/offers/{id}', view: 'DeletedOffer', errors: ['offer_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: OfferDeleteInput, required: true, description: 'The offer.' }) },
    resolve: (_root, { input }, ctx) => deleteOffer(ctx, input.id),
  }),
);

const PlanPriceIntroductoryOfferSetInput = builder.inputType('PlanPriceIntroductoryOfferSetInput', {
  description: 'Which offer new subscribers of a base price get automatically.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Id of the plan, else its code.' }),
    priceId: t.id({ required: true, description: 'Id of a base price; its variants inherit the offer.' }),
    offerId: t.id({
      rule: { nullable: true, minLength: 1 },
      description: 'Id of the offer; none when absent or null.',
    }),
  }),
});

builder.mutationField('planPriceIntroductoryOfferSet', (t) =>
  t.field({
    type: PlanPrice,
    description:
      'Places an introductory offer on a base price, instead of the one that is there, or takes it away; later subscriptions feel it. `offer_not_applicable` unless its phases are at most a trial and one share or amount off with an end; also `plan_not_found`, `price_not_found`, `offer_not_found`, `validation_error` for a variant.',
    errors: ['offer_not_applicable', 'plan_not_found', 'price_not_found', 'offer_not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanPriceIntroductoryOfferSetInput,
        required: true,
        description: 'Price and offer.',
      }),
    },
    resolve: (_root, { input: { planId, priceId, offerId } }, ctx) =>
      placeIntroductoryOffer(ctx, { planId, priceId, offerId: offerId ?? null }),
  }),
);

const RetentionOfferSetInput = builder.inputType('RetentionOfferSetInput', {
  description: 'Which offer customers who are about to leave are made.',
  fields: (t) => ({
    offerId: t.id({
      rule: { nullable: true, minLength: 1 },
      description: 'Id of an offer without a free trial; none when absent or null.',
    }),
  }),
});

builder.mutationField('retentionOfferSet', (t) =>
  t.field({
    type: Offer,
    nullable: true,
    description:
      'Names the offer that the portal makes to customers who are about to leave, in place of the one there is, or takes it away; then null. What was accepted before stays. `offer_not_applicable` for an offer with a free trial, `offer_not_found`.',
    errors: ['offer_not_applicable', 'offer_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: RetentionOfferSetInput, required: true, description: 'The offer.' }) },
    resolve: (_root, { input: { offerId } }, ctx) => setRetentionOffer(ctx, offerId ?? null),
  }),
);
