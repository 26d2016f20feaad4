import { isFinal } from '../../domain/meters/meter.ts';
import type { MeasuredEventRow, UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { LoadBatch } from './batch.ts';
import { inWindow } from './reload-filters.ts';

/** Counter fields that identify the events of a window. */
type Counted = Pick<UsageCounterRow, 'customerId' | 'subscriptionId' | 'featureId' | 'windowStart' | 'meter'>;

/**
 * Reads the events of windows whose totals are known only at their end, without corrected events, in the order in which they were recorded. Also
 * reads the events of the subscriptions in `billed` that have a greater number. Executes no SQL statement if all totals are known and
 * `billed` is empty. An event was recorded in its window, so that its index entry is found by the time at which it was recorded.
 */
export async function readMeasured(
  sql: Query,
  counters: readonly Counted[],
  billed: ReadonlyMap<string, bigint> = new Map(),
): Promise<MeasuredEventRow[]> {
  const open = counters.filter(
    ({ meter, subscriptionId }) => (meter !== null && isFinal(meter)) || billed.has(subscriptionId),
  );
  if (open.length === 0) return [];
  return sql<MeasuredEventRow>(
    `SELECT e."subscriptionId", e."featureId", e."windowStart", e.ts, e.seq, e.value, e.quantity, e.properties, e."levelChange", e."levelSeq"
     FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bigint[]) AS k(customer, subscription, feature, start, after)
     CROSS JOIN LATERAL (
       SELECT * FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = k.customer AND "createdAt" >= k.start
         AND "subscriptionId" = k.subscription AND "featureId" = k.feature AND "windowStart" = k.start AND seq > k.after OFFSET 0) e
     WHERE NOT EXISTS (SELECT FROM "UsageCorrection" c WHERE c."environmentId" = $1 AND c."usageEventId" = e.id)
     ORDER BY e.seq`,
    [
      textArray(open.map(({ customerId }) => customerId)),
      textArray(open.map(({ subscriptionId }) => subscriptionId)),
      textArray(open.map(({ featureId }) => featureId)),
      textArray(open.map(({ windowStart }) => windowStart.toISOString())),
      textArray(
        open.map(({ meter, subscriptionId }) =>
          String(meter !== null && isFinal(meter) ? 0n : (billed.get(subscriptionId) ?? 0n)),
        ),
      ),
    ],
  );
}

/** Returns the numbers of open invoices that billed the current window because of a plan change, by subscription ID. */
async function billedWindows(batch: LoadBatch): Promise<ReadonlyMap<string, bigint>> {
  const invoices = await batch.get('invoices');
  return new Map(
    invoices.flatMap(({ status, subscriptionId, purchase, seq }): [string, bigint][] =>
      status === 'outstanding' &&
      subscriptionId !== null &&
      seq !== null &&
      purchase !== null &&
      'billedWindow' in purchase &&
      purchase.billedWindow !== null
        ? [[subscriptionId, seq]]
        : [],
    ),
  );
}

/**
 * Loads the events of the current windows whose totals are known only at their end, and the events that were recorded after an unpaid plan
 * change billed the window. Empty if no command reads the totals.
 */
export async function loadMeasured(batch: LoadBatch): Promise<MeasuredEventRow[]> {
  if (!batch.readsUsage) return [];
  const [subscriptions, counters] = [await batch.get('subscriptions'), await batch.get('counters')];
  return readMeasured(batch.ctx.sql, inWindow(counters, { subscriptions }), await billedWindows(batch));
}
