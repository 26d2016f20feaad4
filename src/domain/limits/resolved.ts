// Remaining amounts that are above every crossed threshold of a limit again.
import { type EventBody, shownCustomerId } from '../events/event-data.ts';
import type { Resolved } from '../lots/falls.ts';
import type { ConsumingCustomer, ConsumingSubscription } from '../rows/usage-rows.ts';
import type { LimitCrossingRow } from './limit.ts';

type Consumer = {
  readonly customer: ConsumingCustomer;
  readonly subscription: Pick<ConsumingSubscription, 'id'>;
};

/** Returns the event for a resolved limit. */
export const resolvedEvent = (
  { watch, value }: Resolved,
  { customer, subscription }: Consumer,
): EventBody => ({
  kind: 'limit.resolved',
  subscriptionId: subscription.id,
  data: {
    customerId: shownCustomerId(customer),
    subscriptionId: subscription.id,
    limitId: watch.limitId,
    name: watch.name,
    node: { kind: 'customer', key: null, path: [] },
    measure: 'remaining',
    unit: watch.asset,
    value: `${value}`,
    amount: watch.amount,
    windowStart: null,
    windowEnd: null,
    threshold: watch.above,
    channels: [...watch.channels],
  },
});

/** Returns the row of a resolved limit in the history of crossings. */
export const resolvedRow = (
  { watch, value }: Resolved,
  {
    customerId,
    now,
    newId,
  }: { readonly customerId: string; readonly now: Date; readonly newId: (prefix: string) => string },
): LimitCrossingRow => ({
  id: newId('lcr'),
  seq: null,
  limitId: watch.limitId,
  nodeId: customerId,
  customerId,
  kind: 'resolved',
  cause: null,
  threshold: watch.above,
  value: `${value}`,
  currency: null,
  windowStart: null,
  windowEnd: null,
  createdAt: now,
});
