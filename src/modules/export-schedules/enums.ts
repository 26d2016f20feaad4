import { builder } from '../../graphql/builder.ts';

export const ExportFrequency = builder.enumType('ExportFrequency', {
  description: 'How often a list is exported. Each run is due at 00:00 UTC.',
  values: {
    daily: { description: 'Every day.' },
    weekly: { description: 'Every Monday.' },
    monthly: { description: 'On the first of every month.' },
  } as const,
});
