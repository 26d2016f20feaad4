import { builder } from '../../../graphql/reading/builder.ts';

export const UsageDimension = builder.enumType('UsageDimension', {
  description: 'Dimension that usage can be grouped by.',
  values: {
    feature: { description: 'Groups by feature.' },
    model: { description: 'Groups by AI model. Events that count units have no AI model.' },
    plan: {
      description:
        'Groups by the plan that the subscription was on when the usage was summed, a few minutes after the usage was recorded.',
    },
    customer: { description: 'Groups by customer. Takes longer if many customers have usage.' },
  } as const,
});
