import type {
  ConsumptionAccountRow,
  ConsumptionEntryRow,
  FeatureCountRow,
  UsageCounterRow,
} from '../../domain/rows/usage-rows.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { LoadBatch } from './batch.ts';

/**
 * Loads and locks subscription accounts in order of `seq`. Because of the locks, concurrent deductions wait
 * until the transaction ends.
 */
export const lockAccounts = async (batch: LoadBatch): Promise<ConsumptionAccountRow[]> =>
  batch.ctx.sql<ConsumptionAccountRow>(
    `SELECT ${columnList('ConsumptionAccount', 't')} FROM "ConsumptionAccount" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR UPDATE`,
    [await batch.ids('subscriptions')],
  );

/** Loads the usage counters of subscriptions for all usage windows. */
export const loadCounters = async (batch: LoadBatch): Promise<UsageCounterRow[]> =>
  batch.ctx.sql<UsageCounterRow>(
    `SELECT ${columnList('UsageCounter', 't')} FROM "UsageCounter" t WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) ORDER BY t.seq`,
    [await batch.ids('subscriptions')],
  );

/** Loads the seats and quota counts of customers. */
export const loadCounts = ({ ctx, customerIds }: LoadBatch): Promise<FeatureCountRow[]> =>
  ctx.sql<FeatureCountRow>(
    `SELECT ${columnList('FeatureCount', 't')} FROM "FeatureCount" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) ORDER BY t.seq`,
    [customerIds],
  );

/**
 * Loads the usage entries that caused negative balances, newest first (CON-27). Executes no SQL statement if no
 * balance is negative.
 */
export async function loadDraws(batch: LoadBatch): Promise<ConsumptionEntryRow[]> {
  const negative = (await batch.get('accounts')).filter(({ balanceRate }) => balanceRate < 0n);
  if (negative.length === 0) return [];
  return batch.ctx.sql<ConsumptionEntryRow>(
    `SELECT ${columnList('ConsumptionEntry', 't')} FROM (
       SELECT e.*, a."balanceRate", sum(-e.amount) OVER (PARTITION BY e."subscriptionId" ORDER BY e.seq DESC) AS running
       FROM "ConsumptionEntry" e JOIN "ConsumptionAccount" a ON a."environmentId" = e."environmentId" AND a.id = e."subscriptionId"
       JOIN "Subscription" s ON s."environmentId" = e."environmentId" AND s.id = e."subscriptionId"
       WHERE e."environmentId" = $1 AND e."subscriptionId" = ANY($2) AND e.pool = 'money_balance' AND e.type = 'consumption'
         AND e."windowStart" = s."windowStart") t
     WHERE t."environmentId" = $1 AND t.running + t.amount < -t."balanceRate" ORDER BY t.seq DESC`,
    [negative.map(({ id }) => id)],
  );
}
