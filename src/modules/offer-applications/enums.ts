import { builder } from '../../graphql/builder.ts';

export const OfferApplicationSource = builder.enumType('OfferApplicationSource', {
  description: 'The channel that brought an offer.',
  values: {
    direct: { description: 'Named by the seller.' },
    introductory: { description: 'Placed on the price for new subscribers.' },
    promo_code: { description: 'Entered by the customer.' },
    card_promotion: { description: 'Tied to the card.' },
    retention: { description: 'Accepted by a customer who was about to leave.' },
    custom: { description: 'Terms without an offer, such as a trial of the plan price or of the call.' },
  },
});

export const OfferApplicationStatus = builder.enumType('OfferApplicationStatus', {
  description: 'States of an offer application.',
  values: {
    quoted: { description: 'Shown in an open checkout.' },
    applied: { description: 'Accepted; its phases run or have run.' },
    failed: { description: 'Could not be applied.' },
    expired: { description: 'Quoted and not accepted in time.' },
  },
});
