import { builder } from '../../../graphql/reading/builder.ts';

export const MarginDimension = builder.enumType('MarginDimension', {
  description: 'Dimension that prices and costs can be grouped by.',
  values: {
    feature: { description: 'Groups by feature.' },
    model: {
      description:
        'Groups by AI model. Events that count units, and differences at the end of usage windows, have no AI model.',
    },
    plan: {
      description:
        'Groups by the plan that the subscription was on when the usage was summed, a few minutes after the usage was recorded.',
    },
    customer: { description: 'Groups by customer. Takes longer if many customers have usage.' },
    day: { description: 'Groups by day in UTC. The key is the day. Up to 1,100 days.' },
    month: { description: 'Groups by calendar month. The key is the first included day. Up to 120 months.' },
  } as const,
});
