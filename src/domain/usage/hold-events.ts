// Payloads of events about holds.
import { type EventBody, shownCustomerId } from '../events/event-data.ts';
import type { HoldRow, Uncounted } from '../holds/hold.ts';
import type { ConsumingCustomer } from '../rows/usage-rows.ts';

const about = (customer: ConsumingCustomer, hold: HoldRow, featureCode: string) => ({
  subscriptionId: hold.subscriptionId,
  customerId: shownCustomerId(customer),
  holdId: hold.id,
  featureCode,
});

/** Returns the event for a hold that expired, or for the late settlement of an expired hold. `usageEventId` is the ID of the settlement. */
export const holdEvent = (
  kind: 'hold.expired' | 'hold.settled_late',
  customer: ConsumingCustomer,
  hold: HoldRow,
  featureCode: string,
  usageEventId?: string,
): EventBody => ({
  kind,
  subscriptionId: hold.subscriptionId,
  data: {
    ...about(customer, hold, featureCode),
    quantity: hold.estimate.quantity,
    expiresAt: hold.expiresAt.toISOString(),
    ...(usageEventId === undefined ? {} : { usageEventId }),
  },
});

/** Returns the event for the part of a settlement that isn't charged. */
export const usageUncounted = (
  customer: ConsumingCustomer,
  hold: HoldRow,
  featureCode: string,
  usageEventId: string,
  { quantity, amount }: Uncounted,
): EventBody => ({
  kind: 'usage.uncounted',
  subscriptionId: hold.subscriptionId,
  data: { ...about(customer, hold, featureCode), usageEventId, quantity, amount },
});
