import type { DeadlineKind } from '../../../domain/subscription/state/rows.ts';
import { builder } from '../../../graphql/builder.ts';

const UpcomingDeadlineKind = builder.enumType('UpcomingDeadlineKind', {
  description: 'What will happen to a subscription automatically.',
  values: {
    quote_expiry: { description: 'A price that was quoted at the checkout ends.' },
    dunning_retry: { description: 'An unpaid invoice is charged again.' },
    grant_expiry: { description: 'A plan grant ends.' },
    start: { description: 'The contract begins.' },
    trial_end: { description: 'The trial ends.' },
    period_end: { description: 'The billing period ends: it renews, changes its plan or ends.' },
    window_reset: { description: 'A new usage window begins within a longer period.' },
    daily_scan: {
      description: 'Notices are looked for: of a trial that will end, a renewal, an overdue invoice.',
    },
  } satisfies Record<DeadlineKind, { description: string }>,
});

export const UpcomingDeadline = builder.prismaObject('Deadline', {
  variant: 'UpcomingDeadline',
  description: 'Something that will happen automatically at its time.',
  fields: (t) => ({
    kind: t.expose('kind', { type: UpcomingDeadlineKind, description: 'What will happen.' }),
    dueAt: t.expose('dueAt', { type: 'DateTime', description: 'When, in business time.' }),
    isWaiting: t.computed({
      type: 'Boolean',
      description: 'Whether it waits for something else, such as the answer to a payment, whatever its time.',
      columns: ['state'],
      resolve: ({ state }) => state === 'parked',
    }),
    hasFailed: t.computed({
      type: 'Boolean',
      description: 'Whether it failed the last time and will be tried again.',
      columns: ['state'],
      resolve: ({ state }) => state === 'failed',
    }),
  }),
});
