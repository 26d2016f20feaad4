import { builder } from '../../../graphql/reading/builder.ts';

// Subscription enums. Values match the Prisma schema.

export const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'Status of a subscription.',
  values: {
    draft: { description: 'The subscription starts at a later date. The customer has no access yet.' },
    pending_payment: {
      description: 'The subscription is waiting for its first payment. The customer has no access yet.',
    },
    trialing: {
      description:
        "The customer is in a free trial. A payment method is stored but isn't charged yet. The customer has access.",
    },
    active: {
      description:
        'The subscription is paid, and the customer has access. A subscription with a scheduled cancellation is also active.',
    },
    past_due: { description: 'A charge failed and is being retried. The customer still has access.' },
    canceled: { description: 'The subscription has ended. The customer has no access.' },
  },
});

export const ScheduledChangeType = builder.enumType('ScheduledChangeType', {
  description: 'Type of a scheduled change.',
  values: {
    plan_downgrade: { description: 'The plan changes. The billing interval can change too.' },
    interval_change: { description: 'Only the billing interval changes.' },
  },
});
