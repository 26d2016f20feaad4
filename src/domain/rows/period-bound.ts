import type { SubscriptionRow } from './rows.ts';

/** Returns the start or end of a period. Throws if the value is `null`, because every period has both. */
export function boundOf(subscription: Pick<SubscriptionRow, 'id' | 'status'>, bound: Date | null): Date {
  if (bound === null)
    throw new Error(`The subscription ${subscription.id} is ${subscription.status} without a period.`);
  return bound;
}
