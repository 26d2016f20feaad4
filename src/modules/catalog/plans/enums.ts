import { builder } from '../../../graphql/reading/builder.ts';

// Plan and price enums. The subscriptions module also uses these enums. Values match the Prisma schema.

export const BillingInterval = builder.enumType('BillingInterval', {
  description: 'Interval at which the base price of a plan is charged.',
  values: {
    weekly: { description: 'Charged every 7 days.' },
    monthly: { description: 'Charged every month.' },
    quarterly: { description: 'Charged every 3 months.' },
    yearly: { description: 'Charged every 12 months.' },
    one_time: { description: 'Charged once, without renewal.' },
  } as const,
});

export const ConsumptionModel = builder.enumType('ConsumptionModel', {
  description: 'Model that a plan uses to bill usage.',
  values: {
    metered: {
      description:
        'Each usage window includes a set number of units. Additional units are billed as overage.',
    },
    credits: { description: 'Usage is deducted from a credit balance.' },
    balance: { description: 'Usage is deducted from a prepaid monetary balance.' },
  } as const,
});

export const PricingMode = builder.enumType('PricingMode', {
  description: "Source of a feature's unit price.",
  values: {
    fixed: { description: 'The plan defines the unit price.' },
    ai_model: {
      description:
        "The unit price is the AI model's token price plus the margin. Only for usage features of balance plans.",
    },
  } as const,
});
