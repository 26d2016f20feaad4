// Payloads of events about holds.
import { type EventBody, shownCustomerId } from '../events/event-data.ts';
import type { HoldRow, Uncounted } from '../holds/hold.ts';
import type { Tried } from '../limits/admission.ts';
import { mostOf, valueAfter } from '../limits/admission.ts';
import { nodeEntry, shownAmount, unitOf } from '../limits/entry.ts';
import { isFalling } from '../limits/limit.ts';
import { shownStart } from '../limits/windows.ts';
import { minus, whole } from '../rates/exact.ts';
import type { ConsumingCustomer } from '../rows/usage-rows.ts';
import type { Consumer } from './event-data.ts';

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

const timeText = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Returns the event for a limit that a settlement exceeds. */
export function limitOverrun(tried: Tried, { customer, subscription }: Consumer): EventBody {
  const { limit, gauge } = tried;
  const value = valueAfter(tried);
  const most = whole(mostOf(tried) ?? 0n);
  return {
    kind: 'limit.overrun',
    subscriptionId: subscription.id,
    data: {
      customerId: shownCustomerId(customer),
      subscriptionId: subscription.id,
      limitId: limit.id,
      name: limit.name,
      node: nodeEntry(tried),
      measure: limit.measure,
      unit: unitOf(limit),
      value: shownAmount(limit, value),
      amount: shownAmount(limit, most),
      excess: shownAmount(limit, isFalling(limit) ? minus(most, value) : minus(value, most)),
      windowStart: timeText(shownStart(gauge.span)),
      windowEnd: timeText(gauge.span?.end ?? null),
      channels: [...limit.channels],
    },
  };
}
