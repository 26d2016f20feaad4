import type { DeadlineKind, DeadlineRow } from '../../../domain/rows/rows.ts';
import { collectedSql } from '../../../engine/collected-payments.ts';
import { columnList } from '../../../platform/db/bulk.ts';
import type { Query } from '../../../platform/db/pool.ts';

/** Types of deadlines that can charge a customer or collect a charge. */
const charging: readonly DeadlineKind[] = [
  'attempt_step',
  'start',
  'trial_end',
  'period_end',
  'window_reset',
  'grant_expiry',
  'dunning_retry',
  'lot_expiry',
  'auto_topup',
];

/** Returns the first deadline of each subscription that can charge its customer until a given time, earliest first. */
export const readChargingTasks = (sql: Query, until: Date, limit: number): Promise<DeadlineRow[]> =>
  sql<DeadlineRow>(
    `SELECT ${columnList('Deadline', 't')} FROM (
       SELECT DISTINCT ON (d."subscriptionId") d.* FROM "Deadline" d
       WHERE d."environmentId" = $1 AND d.state IN ('ready', 'failed') AND d."dueAt" < $2 AND d.kind = ANY($3) AND d."subscriptionId" IS NOT NULL
       ORDER BY d."subscriptionId", d."dueAt", d.rank) t
     ORDER BY t."dueAt", t.rank, t."subjectSeq", t.id LIMIT $4`,
    [until, charging, limit],
  );

/**
 * Returns the amount and number of payments in a currency that were collected since a given time. Charges that confirm immediately settle within 2 days
 * of their creation. Bank debits settle later.
 */
export async function readCollected(
  sql: Query,
  since: Date,
  currency: string,
): Promise<{ readonly amount: bigint; readonly count: number }> {
  const [row] = await sql<{ amount: bigint; count: number }>(
    `SELECT coalesce(sum(amount), 0)::bigint AS amount, count(*)::int AS count FROM (
       SELECT t."amountMinor" AS amount FROM "Transaction" t
       WHERE t."environmentId" = $1 AND t."createdAt" >= $2::timestamptz - interval '2 days' AND t."expectedOn" IS NULL
         AND t."paidAt" >= $2 AND ${collectedSql('t')} AND t.currency = $3
       UNION ALL
       SELECT t."amountMinor" FROM "Transaction" t
       WHERE t."environmentId" = $1 AND t."expectedOn" IS NOT NULL AND t."paidAt" >= $2 AND ${collectedSql('t')} AND t.currency = $3) payments`,
    [since, currency],
  );
  return { amount: BigInt(row?.amount ?? 0), count: row?.count ?? 0 };
}
