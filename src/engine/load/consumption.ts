import type {
  ConsumptionAccountRow,
  ConsumptionEntryRow,
  FeatureCountRow,
  LotRow,
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

/**
 * Loads the open lots of subscriptions and customers. The accounts of the subscriptions must be locked first. Also loads
 * closed lots that commands can need: lots that the loaded invoices use, credits that refunds revoke, referenced
 * credits, and lots that were paid for or created by a refunded invoice.
 */
export async function loadLots(batch: LoadBatch): Promise<LotRow[]> {
  await batch.get('accounts');
  const uses = await batch.get('creditUses');
  const refunds = await batch.get('refunds');
  const columns = columnList('Lot', 't');
  return batch.ctx.sql<LotRow>(
    `SELECT ${columns} FROM "Lot" t WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) AND t."isOpen"
     UNION ALL
     SELECT ${columns} FROM "Lot" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($3) AND t."subscriptionId" IS NULL AND t."isOpen"
     UNION ALL
     SELECT ${columns} FROM "Lot" t
     WHERE t."environmentId" = $1 AND t.id = ANY($4) AND t."customerId" = ANY($3) AND NOT t."isOpen"
     UNION ALL
     SELECT ${columns} FROM "Lot" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($3) AND t."sourceId" = ANY($5) AND NOT t."isOpen"
       AND NOT t.id = ANY($4)
     ORDER BY seq`,
    [
      await batch.ids('subscriptions'),
      batch.customerIds,
      [
        ...batch.named.credits,
        ...uses.map(({ creditId }) => creditId),
        ...refunds.flatMap(({ revokedCreditId }) => revokedCreditId ?? []),
      ],
      batch.named.refundedTransactions.length === 0 ? [] : await batch.ids('invoices'),
    ],
  );
}

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
  const negative = (await batch.get('lots')).filter(({ remaining }) => remaining < 0n);
  if (negative.length === 0) return [];
  return batch.ctx.sql<ConsumptionEntryRow>(
    `SELECT ${columnList('ConsumptionEntry', 't')} FROM (
       SELECT e.*, l.remaining, sum(-e.amount) OVER (PARTITION BY e."subscriptionId", e.asset ORDER BY e.seq DESC) AS running
       FROM "ConsumptionEntry" e JOIN "Lot" l ON l."environmentId" = e."environmentId" AND l."subscriptionId" = e."subscriptionId"
         AND l.asset = e.asset AND l."isOpen" AND l.source = 'overdraft'
       JOIN "Subscription" s ON s."environmentId" = e."environmentId" AND s.id = e."subscriptionId"
       WHERE e."environmentId" = $1 AND e."subscriptionId" = ANY($2) AND e.type IN ('consumption', 'return')
         AND e."windowStart" = s."windowStart") t
     WHERE t."environmentId" = $1 AND t.running + t.amount < -t.remaining ORDER BY t.seq DESC`,
    [negative.flatMap(({ subscriptionId }) => subscriptionId ?? [])],
  );
}
