import { builder } from '../../graphql/builder.ts';

// The closed lists of subscriptions, as the Prisma schema has them.

export const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'Statuses of a subscription; there are no others (SUB-1).',
  values: {
    draft: { description: 'Recorded, starts on a later date; no access.' },
    pending_payment: { description: 'Waits for its checkout to be paid; no access.' },
    trialing: { description: 'A method is stored, nothing is charged yet; access.' },
    active: { description: 'In good standing, also while a cancellation is scheduled; access.' },
    past_due: { description: 'A charge failed and is being retried; access.' },
    canceled: { description: 'Ended; no access.' },
  },
});

export const ScheduledChangeType = builder.enumType('ScheduledChangeType', {
  description: 'What a scheduled change switches.',
  values: {
    plan_downgrade: { description: 'The plan, perhaps the interval too.' },
    interval_change: { description: 'The interval alone.' },
  },
});

export const OfferApplicationSource = builder.enumType('OfferApplicationSource', {
  description: 'The channel that brought an offer.',
  values: {
    direct: { description: 'Named by the seller.' },
    introductory: { description: 'Placed on the price for new subscribers.' },
    promo_code: { description: 'Entered by the customer.' },
    card_promotion: { description: 'Tied to the card.' },
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
