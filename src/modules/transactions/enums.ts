import { builder } from '../../graphql/builder.ts';

export const PaymentProvider = builder.enumType('PaymentProvider', {
  description: 'Kinds of payment connections.',
  values: {
    platform: { description: "The service's own processor." },
    stripe: { description: 'A Stripe account of the organization.' },
    dlocal: { description: 'A dLocal account of the organization.' },
  },
});

export const TransactionStatus = builder.enumType('TransactionStatus', {
  description: 'Statuses of a payment attempt.',
  values: {
    pending: { description: 'The gateway has not answered, or the payer must authenticate.' },
    succeeded: { description: 'Settled.' },
    failed: { description: 'Declined.' },
    refunded: { description: 'Settled and returned.' },
    disputed: { description: 'Settled and contested.' },
  },
});

export const RefundStatus = builder.enumType('RefundStatus', {
  description: 'Statuses of a refund, the same for every provider.',
  values: {
    pending: { description: 'The gateway has not answered.' },
    requires_action: { description: 'The provider waits for someone.' },
    succeeded: { description: 'Confirmed: the money is on its way.' },
    failed: { description: 'Declined.' },
    canceled: { description: 'Withdrawn before it was made.' },
  },
});

export const RefundReason = builder.enumType('RefundReason', {
  description: 'Why money is returned.',
  values: {
    duplicate: { description: 'It was charged twice.' },
    fraudulent: { description: 'The charge was not made by the holder of the method.' },
    requested_by_customer: { description: 'The customer requested it.' },
  },
});

export const DisputeOutcome = builder.enumType('DisputeOutcome', {
  description: 'How a dispute ended.',
  values: {
    won: { description: 'The money is back with the organization.' },
    lost: { description: 'The money stays with the payer.' },
  },
});
