import { builder } from '../../graphql/builder.ts';

export const TimelineKind = builder.enumType('TimelineKind', {
  description: 'What stands on a timeline.',
  values: {
    event: { description: 'Events that nobody caused directly: of the clock, of providers, of pages.' },
    change: { description: 'Events that a member or a program with an API key caused.' },
    email: { description: 'Emails to the customer.' },
    note: { description: 'Notes of members and programs.' },
  } as const,
});

export type Kind = typeof TimelineKind.$inferType;
