import { builder } from '../../graphql/builder.ts';

export const UsageDimension = builder.enumType('UsageDimension', {
  description: 'What usage can be grouped by.',
  values: {
    feature: { description: 'The feature.' },
    model: { description: 'The AI model; events that count units have none.' },
    plan: {
      description:
        'The plan of the subscription when its usage was added up, some minutes after it was recorded.',
    },
    customer: { description: 'The customer. Costs time in proportion to the customers with usage.' },
  } as const,
});
