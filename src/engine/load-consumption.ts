import type { Context } from '../context.ts';
import type { ConsumptionAccountRow, ConsumptionEntryRow, FeatureCountRow, UsageCounterRow } from '../domain/consumption/rows.ts';
import { columnList } from '../infra/bulk.ts';

/** What customers and their subscriptions have consumed and have left. */
export type ConsumptionRows = {
  readonly accounts: readonly ConsumptionAccountRow[];
  readonly counters: readonly UsageCounterRow[];
  readonly draws: readonly ConsumptionEntryRow[];
  readonly counts: readonly FeatureCountRow[];
};

/** Locks the accounts in order of seq: whoever draws from them waits until the decision is written. */
const lockAccounts = (ctx: Context, subscriptionIds: readonly string[]): Promise<ConsumptionAccountRow[]> =>
  ctx.sql<ConsumptionAccountRow>(
    `SELECT ${columnList('ConsumptionAccount', 't')} FROM "ConsumptionAccount" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR UPDATE`,
    [subscriptionIds],
  );

/** The consumption entries that a deficit of their balance reaches back to, the latest first (CON-27). */
const loadDraws = (ctx: Context, accounts: readonly ConsumptionAccountRow[]): Promise<ConsumptionEntryRow[]> =>
  ctx.sql<ConsumptionEntryRow>(
    `SELECT ${columnList('ConsumptionEntry', 't')} FROM (
       SELECT e.*, a."balanceRate", sum(-e.amount) OVER (PARTITION BY e."subscriptionId" ORDER BY e.seq DESC) AS running
       FROM "ConsumptionEntry" e JOIN "ConsumptionAccount" a ON a."environmentId" = e."environmentId" AND a.id = e."subscriptionId"
       JOIN "Subscription" s ON s."environmentId" = e."environmentId" AND s.id = e."subscriptionId"
       WHERE e."environmentId" = $1 AND e."subscriptionId" = ANY($2) AND e.pool = 'money_balance' AND e.type = 'consumption'
         AND e."windowStart" = s."windowStart") t
     WHERE t."environmentId" = $1 AND t.running + t.amount < -t."balanceRate" ORDER BY t.seq DESC`,
    [accounts.map(({ id }) => id)],
  );

/** Reads the consumption of locked customers in three statements, four where a balance is below 0. */
export async function loadConsumption(
  ctx: Context,
  customerIds: readonly string[],
  subscriptionIds: readonly string[],
): Promise<ConsumptionRows> {
  const accounts = await lockAccounts(ctx, subscriptionIds);
  const counters = await ctx.sql<UsageCounterRow>(
    `SELECT ${columnList('UsageCounter', 't')} FROM "UsageCounter" t WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) ORDER BY t.seq`,
    [subscriptionIds],
  );
  const counts = await ctx.sql<FeatureCountRow>(
    `SELECT ${columnList('FeatureCount', 't')} FROM "FeatureCount" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) ORDER BY t.seq`,
    [customerIds],
  );
  const negative = accounts.filter(({ balanceRate }) => balanceRate < 0n);
  return { accounts, counters, counts, draws: negative.length === 0 ? [] : await loadDraws(ctx, negative) };
}
