import { builder } from '../../../graphql/reading/builder.ts';

builder.enumType('OfferApplicationSource', {
  description: 'Channel through which an offer was applied.',
  values: {
    direct: { description: 'The merchant applied the offer with the API or dashboard.' },
    introductory: {
      description: 'The offer is set on the price and applied to new subscribers automatically.',
    },
    promo_code: { description: 'The customer entered a promo code.' },
    card_promotion: { description: "The customer's card is eligible for a card promotion." },
    retention: { description: 'The customer accepted the retention offer when canceling.' },
    custom: {
      description:
        "The terms don't belong to an offer. For example, the trial is set on the plan price or in the request.",
    },
  },
});

export const OfferApplicationStatus = builder.enumType('OfferApplicationStatus', {
  description: 'Status of an offer application.',
  values: {
    quoted: { description: "The offer's terms are shown in an open checkout." },
    applied: { description: 'The offer was applied. Its phases are active or have ended.' },
    failed: { description: "The offer of a promo code or card promotion couldn't be applied." },
    expired: { description: "The offer's terms were quoted but never accepted." },
  },
});
