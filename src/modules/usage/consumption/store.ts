import { currencies } from '../../../domain/money/money.ts';
import { creditsPool } from '../../../domain/pricing/pools.ts';
import type { Page } from '../../../graphql/reading/connections.ts';
import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import { loadPageBy } from '../../../graphql/reading/loaders.ts';
import type { PageArguments } from '../../../graphql/reading/pages.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Stored consumption amount that differs from the amount calculated from its parts. */
export type ConsumptionMismatch = {
  readonly account: string;
  readonly expected: bigint;
  readonly actual: bigint;
};

/**
 * Identifies the account of a lot or an entry: the subscription, or the customer and the currency for customer credits.
 */
const lotOwner = `coalesce("subscriptionId", "customerId" || ':' || asset)`;

/** Pool of a lot or an entry. `$2` contains the currencies. */
const poolOfAsset = `CASE WHEN asset = ANY($2::text[]) THEN 'balance' ELSE asset END`;

/**
 * Recalculates consumption and returns the differences (CON-58, PRM-141). Compares accounts and lots with the sums of their entries, the result
 * of each entry with the running sum, and usage counters with the events and adjustments of their window. Runs a single statement, so that concurrent
 * commits can't cause differences.
 */
export const readConsumptionMismatches = (sql: Query): Promise<ConsumptionMismatch[]> =>
  sql<ConsumptionMismatch>(
    `WITH entries AS (
       SELECT id, seq, ${lotOwner} AS owner, "lotId", resulting, amount, ${poolOfAsset} AS pool
       FROM "ConsumptionEntry" WHERE "environmentId" = $1),
     replayed AS (
       SELECT id, resulting, sum(amount) OVER (PARTITION BY owner, pool ORDER BY seq, id)::bigint AS sum FROM entries),
     entered AS (
       SELECT owner, "lotId", pool, sum(amount)::bigint AS amount FROM entries GROUP BY owner, "lotId", pool),
     totals AS (
       SELECT owner, pool, sum(entries)::bigint AS entries, sum(lots)::bigint AS lots,
         bool_or("isSubscription") AS "isSubscription" FROM (
         SELECT owner, pool, amount AS entries, 0 AS lots, FALSE AS "isSubscription" FROM entered
         UNION ALL SELECT ${lotOwner}, ${poolOfAsset}, 0, remaining, "subscriptionId" IS NOT NULL FROM "Lot" WHERE "environmentId" = $1) parts
       GROUP BY owner, pool),
     stored AS (
       SELECT a.id AS "subscriptionId", p.key AS pool, (p.value->>'amount')::bigint AS amount
       FROM "ConsumptionAccount" a CROSS JOIN jsonb_each(a.pools) p WHERE a."environmentId" = $1),
     used AS (
       SELECT "subscriptionId", "featureId", "windowStart", sum(units)::bigint AS units, sum(taken)::bigint AS taken FROM (
         SELECT "subscriptionId", "featureId", "windowStart", coalesce(units, value) AS units, coalesce(deducted, 0) AS taken
         FROM "UsageEvent" WHERE "environmentId" = $1
         UNION ALL
         SELECT "subscriptionId", "featureId", "windowStart", coalesce(units, value - "previousValue"), 0
         FROM "UsageAdjustment" WHERE "environmentId" = $1
         UNION ALL
         SELECT c."subscriptionId", c."featureId", c."windowStart", c.units - coalesce(r.units, r.value, 0),
           coalesce(c.deducted, 0) - coalesce(r.deducted, 0)
         FROM "UsageCorrection" c LEFT JOIN "UsageEvent" r ON r."environmentId" = $1 AND r.id = c."replacementId"
         WHERE c."environmentId" = $1) facts
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
     SELECT coalesce(s.pool, t.pool) || ' ' || coalesce(s."subscriptionId", t.owner) AS account,
       coalesce(s.amount, 0) AS expected, coalesce(t.entries, 0) AS actual
     FROM stored s FULL JOIN (SELECT * FROM totals WHERE "isSubscription") t ON t.owner = s."subscriptionId" AND t.pool = s.pool
     WHERE coalesce(s.amount, 0) <> coalesce(t.entries, 0)
     UNION ALL SELECT 'lots ' || t.owner, t.entries, t.lots FROM totals t WHERE t.entries <> t.lots
     UNION ALL SELECT 'lot ' || l.id, l.remaining, coalesce(e.amount, 0) FROM "Lot" l
       LEFT JOIN entered e ON e."lotId" = l.id
       WHERE l."environmentId" = $1 AND l.remaining <> coalesce(e.amount, 0)
     UNION ALL SELECT 'entry ' || id, resulting, sum FROM replayed WHERE resulting <> sum
     UNION ALL SELECT 'usage ' || id, total, units FROM counted WHERE total <> units
     UNION ALL SELECT 'consumed ' || id, consumed, taken FROM counted WHERE consumed <> taken
     ORDER BY account`,
    [currencies],
  );

export type EntryRow = Row<'ConsumptionEntry'>;

/** Ledgers of a subscription: credit transactions and balance transactions. */
export type LedgerName = 'credits' | 'balance';

const assetConditions: { readonly [name in LedgerName]: Condition } = {
  credits: (bind) => `t.asset = ${bind(creditsPool)}`,
  balance: (bind) => `t.asset = ANY(${bind(currencies)}::text[])`,
};

const latestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'entry.',
};

/** Returns a page of a subscription's ledger, latest entry first. Batched. */
export const loadLedger = (
  ctx: Context,
  name: LedgerName,
  subscriptionId: string,
  args: PageArguments,
): Promise<Page<EntryRow>> => {
  const conditions = [assetConditions[name]];
  const list = { model: 'ConsumptionEntry', conditions, order: latestFirst } as const;
  return loadPageBy(ctx, list, 'subscriptionId', subscriptionId, args, 'all', name);
};

export type EntryCause = 'usage_event' | 'invoice' | 'window' | 'raise' | 'expiry' | 'manual';

/** Returns the cause of a ledger entry, based on the prefix of the entry's source. */
export function causeOf({ sourceId, type }: EntryRow): EntryCause {
  if (sourceId === null) return type === 'grant' ? 'raise' : 'manual';
  if (sourceId.startsWith('evt_')) return 'usage_event';
  if (sourceId.startsWith('lot_expiry:')) return 'expiry';
  if (sourceId.startsWith('lot_') || sourceId.startsWith('crd_')) return 'manual';
  return sourceId.startsWith('inv_') ? 'invoice' : 'window';
}
