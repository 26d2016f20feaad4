import type { SubscriptionRow } from './rows.ts';

/** Returns a period bound. Throws if it's `null`, because every subscription with a period has it. */
export function boundOf(subscription: Pick<SubscriptionRow, 'id' | 'status'>, bound: Date | null): Date {
  if (bound === null)
    throw new Error(`The subscription ${subscription.id} is ${subscription.status} without a period.`);
  return bound;
}
