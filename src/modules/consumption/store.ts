import type { Context } from '../../context.ts';
import type { Page } from '../../graphql/connections.ts';
import type { NamedOrder } from '../../graphql/cursors.ts';
import { loadPageBy } from '../../graphql/loaders.ts';
import type { PageArguments } from '../../graphql/pages.ts';
import type { Query } from '../../platform/db/pool.ts';
import { isAmong } from '../../platform/db/row-lists.ts';
import type { Row } from '../../platform/db/rows.ts';

/** A stored number of consumption that differs from what makes it up. */
export type ConsumptionMismatch = {
  readonly account: string;
  readonly expected: bigint;
  readonly actual: bigint;
};

/**
 * Replays consumption and answers what differs, read by one statement, so that no commit falls between (CON-58): pools against the sum of
 * their entries, each entry's result against the sum so far, and counters of usage against the events and corrections of their window.
 */
export const readConsumptionMismatches = (sql: Query): Promise<ConsumptionMismatch[]> =>
  sql<ConsumptionMismatch>(
    `WITH replayed AS (
       SELECT id, "subscriptionId", pool, resulting, sum(amount) OVER (PARTITION BY "subscriptionId", pool ORDER BY seq)::bigint AS sum,
              row_number() OVER (PARTITION BY "subscriptionId", pool ORDER BY seq DESC) AS place
       FROM "ConsumptionEntry" WHERE "environmentId" = $1),
     stored AS (
       SELECT a.id AS "subscriptionId", p.pool, CASE p.pool WHEN 'plan_credits' THEN a."planCredits"
              WHEN 'purchased_credits' THEN a."purchasedCredits" ELSE a."balanceRate" END AS amount
       FROM "ConsumptionAccount" a CROSS JOIN (VALUES ('plan_credits'), ('purchased_credits'), ('money_balance')) AS p(pool) WHERE a."environmentId" = $1),
     used AS (
       SELECT "subscriptionId", "featureId", "windowStart", sum(units)::bigint AS units, sum(taken)::bigint AS taken FROM (
         SELECT "subscriptionId", "featureId", "windowStart", value AS units, coalesce(deducted, 0) AS taken
         FROM "UsageEvent" WHERE "environmentId" = $1
         UNION ALL
         SELECT "subscriptionId", "featureId", "windowStart", value - "previousValue", 0
         FROM "UsageAdjustment" WHERE "environmentId" = $1) facts
       GROUP BY "subscriptionId", "featureId", "windowStart"),
     counted AS (
       SELECT c.id, c.total, c.consumed, coalesce(u.units, 0) AS units, coalesce(u.taken, 0) AS taken
       FROM "UsageCounter" c LEFT JOIN used u ON u."subscriptionId" = c."subscriptionId" AND u."featureId" = c."featureId"
         AND u."windowStart" = c."windowStart"
       WHERE c."environmentId" = $1
       UNION ALL
       SELECT u."subscriptionId" || ':' || u."featureId", 0, 0, u.units, u.taken FROM used u
       WHERE NOT EXISTS (SELECT FROM "UsageCounter" c WHERE c."environmentId" = $1 AND c."subscriptionId" = u."subscriptionId"
         AND c."featureId" = u."featureId" AND c."windowStart" >= u."windowStart"))
     SELECT s.pool || ' ' || s."subscriptionId" AS account, s.amount AS expected, coalesce(r.sum, 0) AS actual
     FROM stored s LEFT JOIN replayed r ON r."subscriptionId" = s."subscriptionId" AND r.pool::text = s.pool AND r.place = 1
     WHERE s.amount <> coalesce(r.sum, 0)
     UNION ALL SELECT 'entry ' || id, resulting, sum FROM replayed WHERE resulting <> sum
     UNION ALL SELECT 'usage ' || id, total, units FROM counted WHERE total <> units
     UNION ALL SELECT 'consumed ' || id, consumed, taken FROM counted WHERE consumed <> taken
     ORDER BY account`,
  );

export type EntryRow = Row<'ConsumptionEntry'>;

const pools = { credits: ['plan_credits', 'purchased_credits'], balance: ['money_balance'] } as const;

/** The two ledgers of a subscription: what moved its credits, and what moved its balance. */
export type LedgerName = keyof typeof pools;

/** The latest movement first. */
const latestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'entry.',
};

/** A page of a ledger of the subscription with this id, the latest movement first. Batched. */
export const loadLedger = (
  ctx: Context,
  name: LedgerName,
  subscriptionId: string,
  args: PageArguments,
): Promise<Page<EntryRow>> => {
  const conditions = [isAmong('ConsumptionEntry', { column: 'pool', values: pools[name] })];
  const list = { model: 'ConsumptionEntry', conditions, order: latestFirst } as const;
  return loadPageBy(ctx, list, 'subscriptionId', subscriptionId, args, 'all', name);
};

/** What is behind a movement. */
export type EntryCause = 'usage_event' | 'invoice' | 'window' | 'raise' | 'manual';

/** What is behind a movement: the engine writes nothing else as its source. */
export function causeOf({ sourceId, type }: EntryRow): EntryCause {
  if (sourceId === null) return type === 'grant' ? 'raise' : 'manual';
  if (sourceId.startsWith('evt_')) return 'usage_event';
  return sourceId.startsWith('inv_') ? 'invoice' : 'window';
}
