import { builder } from '../../../graphql/reading/builder.ts';

// Offer enums. The subscriptions module also uses these enums.

export const OfferPhaseType = builder.enumType('OfferPhaseType', {
  description: 'Type of benefit that an offer phase grants.',
  values: {
    free_trial: { description: "The customer isn't charged for a number of days." },
    percentage: { description: 'The base price of the plan is reduced by a percentage.' },
    amount_off: { description: 'The base price of the plan is reduced by an amount.' },
    fixed_price: { description: 'The base price of the plan is replaced by a fixed price.' },
  } as const,
});

export const RecurringInterval = builder.enumType('RecurringInterval', {
  description: 'Recurring billing interval.',
  values: {
    weekly: { description: 'Every 7 days.' },
    monthly: { description: 'Every month.' },
    quarterly: { description: 'Every 3 months.' },
    yearly: { description: 'Every 12 months.' },
  } as const,
});
