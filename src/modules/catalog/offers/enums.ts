import { builder } from '../../../graphql/reading/builder.ts';

// Offer enums, which subscriptions also use.

export const OfferPhaseType = builder.enumType('OfferPhaseType', {
  description: 'Benefit of an offer phase.',
  values: {
    free_trial: { description: "The customer isn't charged for a number of days." },
    percentage: { description: 'The base price of the plan is reduced by a percentage.' },
    amount_off: { description: 'The base price of the plan is reduced by an amount.' },
    fixed_price: { description: 'The base price of the plan is replaced by another price.' },
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
