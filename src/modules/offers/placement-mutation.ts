import { builder } from '../../graphql/builder.ts';
import { PlanPrice } from '../plans/price-types.ts';
import { placeIntroductoryOffer } from './place.ts';

const PlanPriceIntroductoryOfferSetInput = builder.inputType('PlanPriceIntroductoryOfferSetInput', {
  description: 'Which offer new subscribers of a base price get by themselves.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the plan, else its code.' }),
    priceId: t.id({ required: true, description: 'Id of a base price; its variants inherit the offer.' }),
    offerId: t.id({ rule: { nullable: true, minLength: 1 }, description: 'Id of the offer; none when absent or null.' }),
  }),
});

builder.mutationField('planPriceIntroductoryOfferSet', (t) =>
  t.field({
    type: PlanPrice,
    description:
      'Places an introductory offer on a base price, instead of the one that is there, or takes it away; later subscriptions feel it (CAT-54, OFR-29). `offer_not_applicable` unless its phases are at most a trial and one share or amount off with an end (OFR-28); also `plan_not_found`, `price_not_found`, `offer_not_found`, `validation_error` for a variant.',
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceIntroductoryOfferSetInput, required: true, description: 'Price and offer.' }) },
    resolve: (_root, { input: { id, priceId, offerId } }, context) =>
      placeIntroductoryOffer(context, { id, priceId, offerId: offerId ?? null }),
  }),
);
