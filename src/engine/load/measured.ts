import { isFinal } from '../../domain/meters/meter.ts';
import type { MeasuredEventRow, UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { LoadBatch } from './batch.ts';
import { inWindow } from './reload-filters.ts';

/** Counter fields that identify the events of a window. */
type Counted = Pick<UsageCounterRow, 'customerId' | 'subscriptionId' | 'featureId' | 'windowStart' | 'meter'>;

/**
 * Reads the events of windows whose totals are known only at their end, without corrected events, in the order in which they were recorded. Executes
 * no SQL statement if all totals are known after each event. An event was recorded in its window, so that its index entry is found by
 * the time at which it was recorded.
 */
export async function readMeasured(sql: Query, counters: readonly Counted[]): Promise<MeasuredEventRow[]> {
  const open = counters.filter(({ meter }) => meter !== null && isFinal(meter));
  if (open.length === 0) return [];
  return sql<MeasuredEventRow>(
    `SELECT e."subscriptionId", e."featureId", e."windowStart", e.ts, e.seq, e.value, e.quantity, e.properties
     FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS k(customer, subscription, feature, start)
     CROSS JOIN LATERAL (
       SELECT * FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = k.customer AND "createdAt" >= k.start
         AND "subscriptionId" = k.subscription AND "featureId" = k.feature AND "windowStart" = k.start OFFSET 0) e
     WHERE NOT EXISTS (SELECT FROM "UsageCorrection" c WHERE c."environmentId" = $1 AND c."usageEventId" = e.id)
     ORDER BY e.seq`,
    [
      textArray(open.map(({ customerId }) => customerId)),
      textArray(open.map(({ subscriptionId }) => subscriptionId)),
      textArray(open.map(({ featureId }) => featureId)),
      textArray(open.map(({ windowStart }) => windowStart.toISOString())),
    ],
  );
}

/** Loads the events of the current windows whose totals are known only at their end. */
export async function loadMeasured(batch: LoadBatch): Promise<MeasuredEventRow[]> {
  const [subscriptions, counters] = [await batch.get('subscriptions'), await batch.get('counters')];
  return readMeasured(batch.ctx.sql, inWindow(counters, { subscriptions }));
}
