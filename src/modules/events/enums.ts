import type { EventSource as Source } from '../../domain/events.ts';
import { builder } from '../../graphql/builder.ts';

export const EventSource = builder.enumType('EventSource', {
  description: 'Where a change was asked for.',
  values: {
    api: { description: 'By a program, with an API key.' },
    dashboard: { description: 'By a member of the organization who is signed in.' },
    portal: { description: 'By the customer, in the customer portal.' },
    checkout: { description: 'By the customer, at the checkout.' },
    payment_page: { description: 'By the customer, on the page of a payment link.' },
    recovery_page: { description: 'By the customer, on the page where an overdue invoice is paid.' },
    payment_method_page: {
      description: 'By the customer, on the page where a payment method is replaced.',
    },
    clock: { description: 'By a run of the test clock.' },
    worker: { description: 'By time: a renewal, a retry, a notice, or an answer that was inquired about.' },
    provider: { description: 'By a message of a payment provider.' },
  } satisfies Record<Source, { description: string }>,
});
