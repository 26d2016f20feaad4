/** Statuses of a subscription, in the order of its lifecycle. */
export const subscriptionStatuses = [
  'draft',
  'pending_payment',
  'trialing',
  'active',
  'past_due',
  'canceled',
] as const;
