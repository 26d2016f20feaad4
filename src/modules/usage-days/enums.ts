import { builder } from '../../graphql/builder.ts';

export const UsageDimension = builder.enumType('UsageDimension', {
  description: 'What usage can be grouped by.',
  values: {
    feature: { description: 'The feature.' },
    model: { description: 'The AI model; events that count units have none.' },
  } as const,
});
