import type { DeadlineKind } from '../../../domain/subscription/state/rows.ts';
import { builder } from '../../../graphql/builder.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import type { DeadlineDay } from '../store.ts';

export const UpcomingDeadlineKind = builder.enumType('UpcomingDeadlineKind', {
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
    notice: t.computed({
      type: 'String',
      nullable: true,
      description: 'The event a `daily_scan` sends, such as `trial.will_end`; null for the other kinds.',
      columns: ['data'],
      resolve: ({ data }) => data.notice ?? null,
    }),
    customer: t.rowById('Customer', { id: 'customerId', description: 'Whose it is.' }),
    subscription: t.row('subscription', {
      description: 'What it is about; null for a notice about an invoice without a subscription.',
    }),
    isWaiting: t.computed({
      type: 'Boolean',
      description:
        'Whether it waits for something else, such as the answer to a payment, even when its time has come.',
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

export const UpcomingDeadlineConnection = connectionOf(
  'UpcomingDeadline',
  UpcomingDeadline,
  'deadlines',
  'the earliest first',
);

export const UpcomingDeadlineDay = builder.objectRef<DeadlineDay>('UpcomingDeadlineDay').implement({
  description: 'How many deadlines of a kind a day has.',
  fields: (t) => ({
    day: t.expose('day', { type: 'DateTime', description: 'Midnight UTC at which the day begins.' }),
    kind: t.expose('kind', { type: UpcomingDeadlineKind, description: 'What will happen.' }),
    count: t.exposeInt('count', { description: 'How many deadlines.' }),
  }),
});
