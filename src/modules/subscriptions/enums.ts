import { builder } from '../../graphql/builder.ts';

// The closed lists of subscriptions, as the Prisma schema has them.

export const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'Statuses of a subscription; there are no others.',
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
