import type { DeadlineKind } from '../../../../domain/rows/rows.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import type { DeadlineDay } from '../store.ts';

export const UpcomingDeadlineKind = builder.enumType('UpcomingDeadlineKind', {
  description: 'Type of an upcoming deadline.',
  values: {
    attempt_step: { description: 'The bank reports the progress of a bank debit.' },
    quote_expiry: { description: 'The price quoted in the checkout expires.' },
    checkout_expiry: { description: 'An unpaid checkout expires, and its subscription is canceled.' },
    payment_due: {
      description:
        'The time to pay an invoice that the customer pays ends. Dunning starts if the invoice is unpaid.',
    },
    dunning_retry: { description: 'The payment of an unpaid invoice is retried.' },
    grant_expiry: { description: 'A plan grant ends.' },
    start: { description: 'The subscription starts.' },
    trial_end: { description: 'The trial ends.' },
    period_end: {
      description: 'The billing period ends. The subscription renews, changes its plan, or ends.',
    },
    window_reset: { description: 'A new usage window starts within a longer billing period.' },
    lot_expiry: { description: 'A lot of credits or balance expires.' },
    daily_scan: {
      description:
        'A notice is sent, for example about the end of a trial, an upcoming renewal, or an overdue invoice.',
    },
    auto_topup: { description: 'An automatic top-up is evaluated.' },
  } satisfies Record<DeadlineKind, { description: string }>,
});

export const UpcomingDeadline = builder.prismaObject('Deadline', {
  variant: 'UpcomingDeadline',
  description: 'Scheduled time of an automatic action for a subscription or invoice, such as a renewal.',
  fields: (t) => ({
    kind: t.expose('kind', { type: UpcomingDeadlineKind, description: 'Type of the deadline.' }),
    dueAt: t.column('dueAt', {
      description: "Time at which the deadline is due. In a sandbox, the test clock's time.",
    }),
    notice: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Type of the event that a deadline of the type `daily_scan` sends, such as `trial.will_end`. `null` if the deadline has another type.',
      columns: ['data'],
      resolve: ({ data }) => data.notice ?? null,
    }),
    customer: t.rowById('Customer', {
      id: 'customerId',
      description: 'Customer that the deadline belongs to.',
    }),
    subscription: t.row('subscription', {
      description:
        'Subscription that the deadline belongs to. `null` if the deadline is a notice for an invoice without a subscription.',
    }),
    isWaiting: t.computed({
      type: 'Boolean',
      description:
        "Whether the deadline is waiting for a pending result, such as a payment result. A waiting deadline isn't processed, even if it's due.",
      columns: ['state'],
      resolve: ({ state }) => state === 'parked',
    }),
    hasFailed: t.computed({
      type: 'Boolean',
      description:
        'Whether the last attempt to process the deadline, or an earlier deadline of the same subscription, failed. Failed deadlines are processed again later.',
      columns: ['state'],
      resolve: ({ state }) => state === 'failed',
    }),
  }),
});

export const UpcomingDeadlineConnection = connectionOf(
  'UpcomingDeadline',
  UpcomingDeadline,
  'upcoming deadlines',
  'earliest first',
);

export const UpcomingDeadlineDay = builder.objectRef<DeadlineDay>('UpcomingDeadlineDay').implement({
  description: 'Number of deadlines of one type on one day.',
  fields: (t) => ({
    day: t.member('day', 'DateTime').describe('Start of the day, at midnight UTC.'),
    kind: t.member('kind', UpcomingDeadlineKind).describe('Type of the deadlines.'),
    count: t.member('count', 'Int').describe('Number of deadlines that are due on the day.'),
  }),
});
