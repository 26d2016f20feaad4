import { builder } from '../../graphql/builder.ts';

// The closed lists of offers; subscriptions show them too.

export const OfferPhaseType = builder.enumType('OfferPhaseType', {
  description: 'The benefit of a phase.',
  values: {
    free_trial: { description: 'Days without charge.' },
    percentage: { description: 'A share off the plan base.' },
    amount_off: { description: 'An amount off the plan base.' },
    fixed_price: { description: 'Another price for the plan base.' },
  } as const,
});

export const RecurringInterval = builder.enumType('RecurringInterval', {
  description: 'An interval that repeats.',
  values: {
    weekly: { description: 'Every 7 days.' },
    monthly: { description: 'Every month.' },
    quarterly: { description: 'Every 3 months.' },
    yearly: { description: 'Every 12 months.' },
  } as const,
});
