import { builder } from '../../../graphql/reading/builder.ts';

export const ExportFrequency = builder.enumType('ExportFrequency', {
  description: 'Frequency of a schedule. Each run is due at 00:00 UTC.',
  values: {
    daily: { description: 'The schedule runs every day.' },
    weekly: { description: 'The schedule runs every Monday.' },
    monthly: { description: 'The schedule runs on the first day of every month.' },
  } as const,
});
