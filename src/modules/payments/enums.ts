import { builder } from '../../graphql/builder.ts';

// The closed lists of payments, as the Prisma schema has them.

export const PaymentKind = builder.enumType('PaymentKind', {
  description: 'How a one-time payment is made.',
  values: {
    link: { description: 'The payer opens a hosted page.' },
    charge: { description: 'A stored method is charged in the absence of the payer.' },
  } as const,
});

export const PaymentStatus = builder.enumType('PaymentStatus', {
  description:
    'Statuses of a one-time payment; `succeeded` and `canceled` are terminal, for a charge `failed` and `requires_action` are too.',
  values: {
    pending: { description: 'A link no one has tried to pay yet.' },
    processing: { description: 'An attempt is under way.' },
    succeeded: { description: 'Paid; the invoice exists.' },
    requires_action: {
      description:
        'The issuer wants the payer to authenticate: a link continues at its page, a charge is over.',
    },
    failed: { description: 'The latest attempt was declined; a link can be tried again.' },
    canceled: { description: 'Withdrawn.' },
  } as const,
});
