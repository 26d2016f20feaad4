import { builder } from '../../graphql/builder.ts';

// The closed lists of plans and prices, as the Prisma schema has them; subscriptions use them too.

export const BillingInterval = builder.enumType('BillingInterval', {
  description: 'How often the plan base is charged.',
  values: {
    weekly: { description: 'Every 7 days.' },
    monthly: { description: 'Every month.' },
    quarterly: { description: 'Every 3 months.' },
    yearly: { description: 'Every 12 months.' },
    one_time: { description: 'Once.' },
  } as const,
});

export const ConsumptionModel = builder.enumType('ConsumptionModel', {
  description: "How a plan's usage is paid for.",
  values: {
    metered: { description: 'Included units per window, overage afterwards.' },
    credits: { description: 'Credits that usage draws down.' },
    balance: { description: 'Prepaid money that usage draws down.' },
  } as const,
});

export const PricingMode = builder.enumType('PricingMode', {
  description: 'How the price of a unit is found.',
  values: {
    fixed: { description: 'The plan says it.' },
    ai_model: {
      description: 'From the catalog of AI models, plus the margin; usage features of balance plans only.',
    },
  } as const,
});
