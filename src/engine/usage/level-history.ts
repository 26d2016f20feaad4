import { inPlace } from '../../domain/meters/level-history.ts';
import { holdsLevel } from '../../domain/meters/meter.ts';
import type { EndedUsageRow } from '../../domain/rows/ended-usage.ts';
import type { SubscriptionRow } from '../../domain/rows/rows.ts';
import type { UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import type { LevelEventRow } from '../../domain/usage/correction-request.ts';
import type { HeldLevel } from '../../domain/usage/ended-settlement.ts';
import type { UsageEventRow } from '../../domain/usage/record.ts';
import { columnList } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';

// Events and ended usage windows of a level, for corrections (PRM-127, PRM-128).

type Windowed = Pick<UsageEventRow, 'customerId' | 'featureId' | 'windowStart'>;

/**
 * Reads the events of a level since the start of an event's window, without corrected events, in the order in which they take effect. The level must be
 * locked.
 */
export async function readLevelEvents(
  sql: Query,
  { customerId, featureId, windowStart }: Windowed,
): Promise<LevelEventRow[]> {
  const events = await sql<LevelEventRow>(
    `SELECT e.id, e.seq, e."subscriptionId", e."featureId", e."windowStart", e.ts, e.value, e.quantity, e.properties, e."levelKind",
       e."levelChange", e.level, e."levelSeq"
     FROM "UsageEvent" e
     WHERE e."environmentId" = $1 AND e."customerId" = $2 AND e."createdAt" >= $4 AND e."featureId" = $3 AND e."windowStart" >= $4
       AND e."levelKind" IS NOT NULL
       AND NOT EXISTS (SELECT FROM "UsageCorrection" c WHERE c."environmentId" = $1 AND c."usageEventId" = e.id)`,
    [customerId, featureId, windowStart],
  );
  return inPlace(events);
}

/** Reads the current level of an event's feature, and the ended windows of the feature since the start of the event's window. */
export async function readHeldLevel(
  sql: Query,
  { customerId, featureId, windowStart }: Windowed,
): Promise<HeldLevel> {
  const subscriptions = await sql<SubscriptionRow>(
    `SELECT ${columnList('Subscription', 't')} FROM "Subscription" t WHERE t."environmentId" = $1 AND t."customerId" = $2`,
    [customerId],
  );
  const ids = textArray(subscriptions.map(({ id }) => id));
  const [windows, [counter]] = await Promise.all([
    sql<EndedUsageRow>(
      `SELECT DISTINCT ON (t."subscriptionId", t."windowStart") ${columnList('EndedUsage', 't')} FROM "EndedUsage" t
       WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2::text[]) AND t."featureId" = $3 AND t."windowStart" >= $4
       ORDER BY t."subscriptionId", t."windowStart", t.seq DESC`,
      [ids, featureId, windowStart],
    ),
    sql<UsageCounterRow>(
      `SELECT ${columnList('UsageCounter', 't')} FROM "UsageCounter" t
       WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2::text[]) AND t."featureId" = $3 AND t.level IS NOT NULL
       ORDER BY t.seq DESC LIMIT 1`,
      [ids, featureId],
    ),
  ]);
  if (counter === undefined)
    throw new Error(`The customer ${customerId} has no level of the feature ${featureId}.`);
  const byId = new Map(subscriptions.map((row) => [row.id, row]));
  return {
    counter,
    windows: windows.flatMap((usage) => {
      const subscription = byId.get(usage.subscriptionId);
      return subscription === undefined || !holdsLevel(usage.meter) ? [] : [{ usage, subscription }];
    }),
  };
}
