import { builder } from '../../../graphql/reading/builder.ts';

export const PaymentProvider = builder.enumType('PaymentProvider', {
  description: 'Payment provider that collects a payment.',
  values: {
    platform: { description: "The platform's payment provider." },
    stripe: { description: 'Stripe account of the organization.' },
    dlocal: {
      description:
        'dLocal account of the organization. Not available yet: requests with this value fail with `provider_unsupported`.',
    },
  },
});

export const TransactionStatus = builder.enumType('TransactionStatus', {
  description: 'Status of a payment attempt.',
  values: {
    pending: { description: "The payment provider hasn't responded yet, or the payer must authenticate." },
    succeeded: { description: 'The charge succeeded.' },
    failed: { description: 'The charge was declined.' },
    refunded: { description: 'The charge succeeded and was fully refunded.' },
    disputed: { description: 'The charge succeeded and was disputed.' },
  },
});

export const MandateStatus = builder.enumType('MandateStatus', {
  description: 'Status of a mandate.',
  values: {
    active: { description: 'The bank account can be debited.' },
    revoked: { description: 'The mandate ended. The bank account can no longer be debited.' },
  },
});

builder.enumType('MandateEnder', {
  description: 'Party that ended a mandate.',
  values: {
    customer: { description: 'The customer revoked the mandate or removed the bank account.' },
    merchant: { description: 'The organization revoked the mandate or removed the bank account.' },
    bank: { description: "The payer's bank reported that the mandate or the bank account ended." },
  },
});

export const RefundStatus = builder.enumType('RefundStatus', {
  description: 'Status of a refund, the same for every payment provider.',
  values: {
    pending: { description: "The payment provider hasn't responded yet." },
    requires_action: {
      description: 'The payment provider requires further action before it can complete the refund.',
    },
    succeeded: { description: 'The payment provider confirmed the refund.' },
    failed: { description: 'The payment provider declined the refund.' },
    canceled: { description: 'The refund was canceled before the payment provider completed it.' },
  },
});

export const RefundReason = builder.enumType('RefundReason', {
  description: 'Reason for a refund.',
  values: {
    duplicate: { description: 'The customer was charged twice.' },
    fraudulent: { description: "The holder of the payment method didn't authorize the charge." },
    requested_by_customer: { description: 'The customer requested the refund.' },
  },
});

export const DisputeOutcome = builder.enumType('DisputeOutcome', {
  description: 'Outcome of a dispute.',
  values: {
    won: { description: 'The organization keeps the money.' },
    lost: { description: 'The payer gets the money back.' },
  },
});
