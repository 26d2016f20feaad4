/** The statuses a subscription can have, in the order of its life. */
export const subscriptionStatuses = [
  'draft',
  'pending_payment',
  'trialing',
  'active',
  'past_due',
  'canceled',
] as const;
