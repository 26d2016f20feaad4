import type { CarriedUsage, ChangeSet } from '../../domain/subscription/state/aggregate.ts';
import { valueId } from '../../domain/usage/counter.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import { hashValue } from '../usage/value-hash.ts';

/** Moves the events and their corrections to the new windows. */
const moveEvents = (sql: Query, carried: readonly CarriedUsage[]): Promise<unknown> =>
  sql(
    `WITH k AS (SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::bigint[])
         AS k(customer, subscription, feature, start, next, after)),
       moved AS (UPDATE "UsageEvent" e SET "windowStart" = k.next FROM k
         WHERE e."environmentId" = $1 AND e."customerId" = k.customer AND e."createdAt" >= k.start AND e."subscriptionId" = k.subscription
           AND e."featureId" = k.feature AND e."windowStart" = k.start AND e.seq > k.after AND NOT e.seq = ANY($8) RETURNING e.id, k.next)
     UPDATE "UsageCorrection" c SET "windowStart" = moved.next FROM moved WHERE c."environmentId" = $1 AND c."usageEventId" = moved.id`,
    [
      textArray(carried.map(({ customerId }) => customerId)),
      textArray(carried.map(({ subscriptionId }) => subscriptionId)),
      textArray(carried.map(({ featureId }) => featureId)),
      textArray(carried.map(({ from }) => from.toISOString())),
      textArray(carried.map(({ to }) => to.toISOString())),
      textArray(carried.map(({ afterSeq }) => String(afterSeq))),
      textArray(carried.flatMap(({ except }) => except.map(String))),
    ],
  );

/** Stores the counted values of the new windows. */
async function writeValues(sql: Query, carried: readonly CarriedUsage[]): Promise<void> {
  const values = carried.flatMap(({ subscriptionId, featureId, to, values: counts }) =>
    [...counts].map(([value, count]) => ({
      id: valueId(subscriptionId, featureId, hashValue(value)),
      subscriptionId,
      windowStart: to.toISOString(),
      count: String(count),
    })),
  );
  if (values.length === 0) return;
  await sql(
    `INSERT INTO "UsageValue" ("environmentId", id, "subscriptionId", "windowStart", count)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::bigint[])
     ON CONFLICT ("environmentId", id) DO UPDATE SET "windowStart" = excluded."windowStart", count = excluded.count`,
    [
      textArray(values.map(({ id }) => id)),
      textArray(values.map(({ subscriptionId }) => subscriptionId)),
      textArray(values.map(({ windowStart }) => windowStart)),
      textArray(values.map(({ count }) => count)),
    ],
  );
}

/** Moves usage that was recorded while a plan change was paid to the window of the new plan. Executes no SQL statement without such usage. */
export async function carryEvents(sql: Query, sets: readonly Pick<ChangeSet, 'carried'>[]): Promise<void> {
  const carried = sets.flatMap((set) => set.carried);
  if (carried.length === 0) return;
  await Promise.all([moveEvents(sql, carried), writeValues(sql, carried)]);
}

/** Writes the amounts of corrections that a plan change made known. Executes no SQL statement without such corrections. */
export async function priceCorrections(
  sql: Query,
  sets: readonly Pick<ChangeSet, 'pricedCorrections'>[],
): Promise<void> {
  const priced = sets.flatMap((set) => set.pricedCorrections);
  if (priced.length === 0) return;
  await sql(
    `UPDATE "UsageCorrection" c SET "amountMinor" = r.amount FROM unnest($2::text[], $3::bigint[]) AS r(id, amount)
     WHERE c."environmentId" = $1 AND c.id = r.id`,
    [textArray(priced.map(({ id }) => id)), textArray(priced.map(({ amountMinor }) => String(amountMinor)))],
  );
}
