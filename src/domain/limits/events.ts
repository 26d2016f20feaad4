// Events of limits. Amounts are decimals: money in major units of the currency.
import { type EventBody, shownCustomerId } from '../events/event-data.ts';
import { type Exact, whole } from '../rates/exact.ts';
import type { ConsumingCustomer, ConsumingSubscription } from '../rows/usage-rows.ts';
import { mostOf } from './admission.ts';
import { type Crossing, excessOf, spanOf } from './crossings.ts';
import { nodeEntry, shownAmount, unitOf } from './entry.ts';
import type { RequestedApproval } from './usage-approval.ts';
import { shownStart } from './windows.ts';

type Consumer = { readonly customer: ConsumingCustomer; readonly subscription: ConsumingSubscription };

/** Customer and subscription whose usage crossed a limit, in API format. `null` if the limit applies to several customers. */
type Subject = { readonly customerId: string | null; readonly subscriptionId: string | null };

const timeText = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function crossingEvent(crossing: Crossing, { customerId, subscriptionId }: Subject): EventBody {
  const { kind, tried, value, crossed, cause, unusual } = crossing;
  const { limit } = tried;
  const shown = (amount: Exact): string => shownAmount(limit, amount);
  const most = mostOf(tried);
  const span = spanOf(crossing);
  const about = {
    customerId,
    subscriptionId,
    limitId: limit.id,
    name: limit.name,
    node: nodeEntry(tried),
    measure: limit.measure,
    unit: unitOf(limit),
    value: shown(value),
    amount: most === null ? null : shown(whole(most)),
    windowStart: timeText(shownStart(span)),
    windowEnd: timeText(span?.end ?? null),
    channels: [...limit.channels],
  };
  if (unusual !== undefined) {
    const { anomaly, median } = unusual;
    return {
      kind: 'usage.anomaly',
      subscriptionId,
      data: { ...about, median: shown(median), factor: anomaly.factor },
    };
  }
  if (kind === 'overrun') {
    const excess = shown(excessOf(limit, value, whole(most ?? 0n)));
    return { kind: 'limit.overrun', subscriptionId, data: { ...about, excess } };
  }
  if (kind === 'reached') return { kind: 'limit.reached', subscriptionId, data: { ...about, cause } };
  return {
    kind: 'limit.threshold_reached',
    subscriptionId,
    data: { ...about, threshold: shown(crossed.at(-1) ?? value), crossed: crossed.map(shown) },
  };
}

/** Returns the event for the approval of rejected usage. */
export const approvalRequested = (
  { id, limitId, previewHash, expiresAt }: RequestedApproval,
  { customer, subscription }: Consumer,
): EventBody => ({
  kind: 'approval.requested',
  subscriptionId: subscription.id,
  data: {
    approvalId: id,
    apiKeyId: null,
    customerId: shownCustomerId(customer),
    limitId,
    operation: 'usageTrack',
    money: [],
    previewHash,
    expiresAt: expiresAt.toISOString(),
  },
});

/** Returns the events for crossings of limits by a customer's usage. */
export const crossingEvents = (
  crossings: readonly Crossing[],
  { customer, subscription }: Consumer,
): EventBody[] => {
  const subject = { customerId: shownCustomerId(customer), subscriptionId: subscription.id };
  return crossings.map((crossing) => crossingEvent(crossing, subject));
};

/**
 * Returns the events for crossings that belong to no subscription: of limits of the organization and of plans, and of limits on operations.
 * `customerId` is in API format, and `null` if the limit doesn't belong to a customer.
 */
export const sharedCrossingEvents = (
  crossings: readonly Crossing[],
  customerId: string | null = null,
): EventBody[] => crossings.map((crossing) => crossingEvent(crossing, { customerId, subscriptionId: null }));
