// Remaining amounts that are above every crossed threshold of a limit again.
import { type EventBody, shownCustomerId } from '../events/event-data.ts';
import type { Account } from '../lots/account.ts';
import { type Resolved, withFall } from '../lots/falls.ts';
import { type Exact, wholePart } from '../rates/exact.ts';
import type { LimitWatch } from '../rows/fall-mark.ts';
import type { ConsumingCustomer, ConsumingSubscription } from '../rows/usage-rows.ts';
import type { Tried } from './admission.ts';
import type { Crossing } from './crossings.ts';
import type { LimitCrossingRow, LimitRow } from './limit.ts';

type Consumer = {
  readonly customer: ConsumingCustomer;
  readonly subscription: Pick<ConsumingSubscription, 'id'>;
};

/** Adds a limit with crossed thresholds to the watches of a pool. A limit has one watch, for its highest crossed threshold. */
export function withWatch(
  watches: readonly LimitWatch[],
  { id, name, asset, amount, channels }: LimitRow,
  crossed: readonly Exact[],
): readonly LimitWatch[] {
  const [highest] = crossed;
  if (highest === undefined || asset === null) return watches;
  const known = watches.find(({ limitId }) => limitId === id);
  const above = wholePart(highest);
  if (known !== undefined && BigInt(known.above) >= above) return watches;
  const watch = {
    limitId: id,
    name,
    asset,
    amount: amount === null ? null : `${amount}`,
    above: `${above}`,
    channels,
  };
  return [...watches.filter(({ limitId }) => limitId !== id), watch];
}

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

/** Returns the account of an accepted movement with the marks of limits on the remaining amount. */
export function markedAccount(
  account: Account,
  tried: readonly Tried[],
  crossings: readonly Crossing[],
): Account {
  const [fall] = tried.flatMap((one) => one.fall ?? []);
  if (fall === undefined) return account;
  let watches = account.pools[fall.pool]?.fall?.watches ?? [];
  for (const { kind, crossed, tried: one } of crossings)
    if (kind === 'threshold' && one.limit.notifyResolved) watches = withWatch(watches, one.limit, crossed);
  return withFall(account, fall, watches);
}
