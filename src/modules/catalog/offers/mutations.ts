import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { PlanPrice } from '../plan-prices/types.ts';
import { placeIntroductoryOffer } from './place.ts';
import { termsOf } from './rules.ts';
import { setRetentionOffer } from './set-retention.ts';
import { offerRows, withdrawOffer } from './store.ts';
import { Offer } from './types/offer.ts';
import { OfferPhaseInput } from './types/phase-input.ts';

const shownName = {
  required: true,
  rule: name,
  description: 'Name shown to customers. From 1 to 200 characters.',
} as const;
const phases = { minItems: 1, maxItems: 10 } as const;
const bound = { nullable: true } as const;

const OfferCreateInput = builder.inputType('OfferCreateInput', {
  description: 'Parameters for creating an offer.',
  fields: (t) => ({
    name: t.string(shownName),
    phases: t.field({
      type: [OfferPhaseInput],
      required: true,
      rule: phases,
      description: 'Phases of the offer in the order in which they apply. From 1 to 10 phases.',
    }),
    metadata: t.field({ type: 'Json', description: 'Free-form metadata. Defaults to an empty object.' }),
    startsAt: t.field({
      type: 'DateTime',
      rule: bound,
      description: 'Time from which the offer can be applied. Defaults to no start time.',
    }),
    endsAt: t.field({
      type: 'DateTime',
      rule: bound,
      description:
        'Time from which the offer can no longer be applied. Must be after `startsAt`. Defaults to no end time.',
    }),
    active: t.boolean({
      rule: { default: true },
      description: 'Whether the offer can be applied. Defaults to `true`.',
    }),
  }),
});

builder.mutationField('offerCreate', (t) =>
  t.field({
    type: Offer,
    description: 'Creates an offer.',
    rest: { method: 'POST', path: '/offers', status: 201, view: 'Offer' },
    access: { scope: 'write' },
    args: { input: t.arg({ type: OfferCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => offerRows.create(ctx, termsOf(input, null)),
  }),
);

const OfferUpdateInput = builder.inputType('OfferUpdateInput', {
  description:
    'Parameters for changing an offer. The name and the phases are replaced. Other omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the offer.' }),
    name: t.string(shownName),
    phases: t.field({
      type: [OfferPhaseInput],
      required: true,
      rule: phases,
      description:
        'Phases of the offer in the order in which they apply. From 1 to 10 phases. Replaces the stored phases.',
    }),
    metadata: t.field({ type: 'Json', description: 'Free-form metadata. Replaces the stored metadata.' }),
    startsAt: t.field({
      type: 'DateTime',
      rule: bound,
      description: 'Time from which the offer can be applied. `null` removes the start time.',
    }),
    endsAt: t.field({
      type: 'DateTime',
      rule: bound,
      description:
        'Time from which the offer can no longer be applied. Must be after `startsAt`. `null` removes the end time.',
    }),
    active: t.boolean({ description: 'Whether the offer can be applied.' }),
  }),
});

builder.mutationField('offerUpdate', (t) =>
  t.field({
    type: Offer,
    description: "Replaces the terms of an offer. Terms that were already quoted or accepted don't change.",
    rest: { method: 'PATCH', path: '/offers/{id}', view: 'Offer' },
    errors: ['offer_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: OfferUpdateInput, required: true }) },
    resolve: (_root, { input: { id, ...input } }, ctx) =>
      offerRows.update(ctx, id, async (_tx, offer) => termsOf(input, offer)),
  }),
);

deletionField('offerDelete', {
  of: 'an offer',
  reference: 'ID of the offer.',
  description:
    "Deletes an offer. The offer can no longer be applied, is removed from all prices, and is no longer the retention offer. Terms that were already quoted or accepted don't change.",
  path: '/offers/{id}',
  view: 'DeletedOffer',
  errors: ['offer_not_found'],
  access: { scope: 'write' },
  delete: (ctx, id) => offerRows.delete(ctx, id, withdrawOffer),
});

const PlanPriceIntroductoryOfferSetInput = builder.inputType('PlanPriceIntroductoryOfferSetInput', {
  description: 'Parameters for setting the introductory offer of a base price.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Plan ID or plan code.' }),
    priceId: t.id({ required: true, description: 'ID of a base price. Variants inherit the offer.' }),
    offerId: t.id({
      rule: { nullable: true, minLength: 1 },
      description: 'ID of the offer. If omitted or `null`, the introductory offer is removed.',
    }),
  }),
});

builder.mutationField('planPriceIntroductoryOfferSet', (t) =>
  t.field({
    type: PlanPrice,
    description:
      "Sets or removes the introductory offer of a base price. New subscribers get the offer automatically. Existing subscriptions don't change. Not allowed for variants.",
    errors: [
      [
        'offer_not_applicable',
        'the offer contains anything other than one free trial, one time-limited percentage or amount discount, or both in this order',
      ],
      'plan_not_found',
      'price_not_found',
      'offer_not_found',
    ],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PlanPriceIntroductoryOfferSetInput,
        required: true,
      }),
    },
    resolve: (_root, { input: { planId, priceId, offerId } }, ctx) =>
      placeIntroductoryOffer(ctx, { planId, priceId, offerId: offerId ?? null }),
  }),
);

const RetentionOfferSetInput = builder.inputType('RetentionOfferSetInput', {
  description: 'Parameters for setting the retention offer.',
  fields: (t) => ({
    offerId: t.id({
      rule: { nullable: true, minLength: 1 },
      description:
        'ID of an offer without a free trial. If omitted or `null`, the retention offer is removed.',
    }),
  }),
});

builder.mutationField('retentionOfferSet', (t) =>
  t.field({
    type: Offer,
    nullable: true,
    description:
      "Sets or removes the retention offer, which the customer portal shows to customers who are about to cancel. Returns `null` if the offer was removed. Offers that were already accepted don't change.",
    errors: [['offer_not_applicable', 'the offer has a free trial'], 'offer_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: RetentionOfferSetInput, required: true }) },
    resolve: (_root, { input: { offerId } }, ctx) => setRetentionOffer(ctx, offerId ?? null),
  }),
);
