import { builder } from '../../../graphql/reading/builder.ts';

export const TimelineKind = builder.enumType('TimelineKind', {
  description: 'Type of a timeline entry.',
  values: {
    event: {
      description:
        'Event that was caused by the system, such as the test clock, a payment provider, or a hosted page.',
    },
    change: { description: 'Event that was caused by a member or by an API client.' },
    email: { description: 'Email to the customer.' },
    note: { description: 'Note that was added by a member or by an API client.' },
  } as const,
});

export type Kind = typeof TimelineKind.$inferType;
