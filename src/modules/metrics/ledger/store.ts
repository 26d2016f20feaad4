import type { FactAmount } from '../../../domain/ledger/accounts.ts';
import { frozenSql, inTransitSql, pendingSql } from '../../../engine/effects/payout-store.ts';
import { isOwed } from '../../../engine/owed-invoices.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { reachedBy } from '../day-sums/store.ts';
import { ledgerSource } from '../ledger-days/store.ts';

/**
 * Sum that the ledger check compares, in minor units. Customer credits are in ten-thousandths of the currency unit. Transfers are summed by fact, accounts, currency, and customer. Outstanding invoices,
 * credits reserved by open checkouts, and remaining customer credits are summed by customer and currency. Settled transactions, fees, held
 * disputes, and the organization's pending, frozen, and in-transit funds are summed by currency.
 */
export type LedgerSum = {
  readonly source:
    | 'transfers'
    | 'owed'
    | 'reserved'
    | 'credits'
    | 'settled'
    | 'fees'
    | 'held'
    | 'pending'
    | 'frozen'
    | 'in_transit'
    | 'received';
  readonly fact: string | null;
  readonly debitAccount: string | null;
  readonly creditAccount: string | null;
  readonly currency: string;
  readonly customerId: string | null;
  readonly amountMinor: bigint;
  /** Number of ledger transfers that the sum contains. 0 for sums of documents. */
  readonly transfers: number;
  /** True if every amount that the sum contains is positive. */
  readonly isPositive: boolean;
};

/**
 * Returns all sums that the ledger check compares. Runs a single SQL statement, so that the ledger and the documents
 * are read in a consistent state.
 */
export const readLedgerSums = (sql: Query): Promise<LedgerSum[]> =>
  sql<LedgerSum>(
    `SELECT 'transfers' AS source, fact, "debitAccount", "creditAccount", currency, "customerId",
            SUM("amountMinor")::bigint AS "amountMinor", BOOL_AND("amountMinor" > 0) AS "isPositive", count(*)::int AS transfers
     FROM "LedgerTransfer" WHERE "environmentId" = $1 GROUP BY fact, "debitAccount", "creditAccount", currency, "customerId"
     UNION ALL
     SELECT 'owed', NULL, NULL, NULL, currency, "customerId", SUM(total - "creditedAmount" - "paidInParts")::bigint, TRUE, 0
     FROM "Invoice" t WHERE "environmentId" = $1 AND ${isOwed('t')} GROUP BY currency, "customerId"
     UNION ALL
     SELECT 'reserved', NULL, NULL, NULL, currency, "customerId", SUM("creditApplied")::bigint, TRUE, 0
     FROM "Invoice" WHERE "environmentId" = $1 AND status = 'outstanding' AND "finalizedAt" IS NULL GROUP BY currency, "customerId"
     UNION ALL
     SELECT 'credits', NULL, NULL, NULL, asset, "customerId", SUM(remaining)::bigint, TRUE, 0
     FROM "Lot" WHERE "environmentId" = $1 AND "subscriptionId" IS NULL GROUP BY asset, "customerId"
     UNION ALL
     SELECT 'received', NULL, NULL, NULL, currency, "customerId", SUM("amountMinor" - "appliedMinor" - "returnedMinor")::bigint, TRUE, 0
     FROM "Receipt" WHERE "environmentId" = $1 GROUP BY currency, "customerId"
     UNION ALL
     SELECT 'settled', NULL, NULL, NULL, currency, NULL, SUM("amountMinor" - "refundedMinor")::bigint, TRUE, 0
     FROM "Transaction" WHERE "environmentId" = $1 AND status = 'succeeded' GROUP BY currency
     UNION ALL
     SELECT 'fees', NULL, NULL, NULL, 'usd', NULL, SUM("feeUsdMinor")::bigint, TRUE, 0
     FROM "Transaction" WHERE "environmentId" = $1 AND "feeUsdMinor" > 0 GROUP BY "environmentId"
     UNION ALL
     SELECT 'held', NULL, NULL, NULL, currency, NULL, SUM("amountMinor" - "refundedMinor")::bigint, TRUE, 0
     FROM "Transaction" WHERE "environmentId" = $1 AND status = 'disputed' AND "disputeOutcome" IS NULL GROUP BY currency
     UNION ALL
     SELECT 'pending', NULL, NULL, NULL, 'usd', NULL, (${pendingSql}), TRUE, 0
     UNION ALL
     SELECT 'frozen', NULL, NULL, NULL, 'usd', NULL, (${frozenSql}), TRUE, 0
     UNION ALL
     SELECT 'in_transit', NULL, NULL, NULL, 'usd', NULL, (${inTransitSql}), TRUE, 0`,
  );

/** Latest possible time of a ledger transfer. */
const endOfTime = new Date('9999-12-31T00:00:00.000Z');

/**
 * Returns the sums of transfers by fact and currency, up to and including `at`. Without `at`, includes all transfers.
 * `currency` limits the result. Runs one SQL statement, which reads the daily sums before the day of `at`, earlier
 * transfers that haven't been added to the sums yet, and the transfers on that day.
 */
export const readFactAmounts = (
  sql: Query,
  { at, currency }: { readonly at: Date | null; readonly currency: string | null },
): Promise<FactAmount[]> =>
  sql<FactAmount>(
    `WITH asked AS MATERIALIZED (
       SELECT date_trunc('month', $2::timestamptz, 'UTC') AS month, date_trunc('day', $2::timestamptz, 'UTC') AS day,
              extract(day FROM $2::timestamptz AT TIME ZONE 'UTC')::int AS number)
     SELECT fact, currency, SUM(amount)::bigint AS amount FROM (
       SELECT fact, currency, "amountMinor" AS amount FROM "LedgerDay"
       WHERE "environmentId" = $1 AND month < (SELECT month FROM asked)
       UNION ALL
       SELECT t.fact, t.currency, d.amount FROM "LedgerDay" t
       CROSS JOIN LATERAL unnest(t.days, t."amountMinorDays") AS d(number, amount)
       WHERE t."environmentId" = $1 AND t.month = (SELECT month FROM asked) AND d.number < (SELECT number FROM asked)
       UNION ALL
       SELECT fact, currency, "amountMinor" FROM "LedgerTransfer"
       WHERE "environmentId" = $1 AND seq > ${reachedBy(ledgerSource)}
         AND "occurredAt" < (SELECT day FROM asked)
       UNION ALL
       SELECT fact, currency, "amountMinor" FROM "LedgerTransfer"
       WHERE "environmentId" = $1 AND "occurredAt" >= (SELECT day FROM asked) AND "occurredAt" <= $2
     ) AS posted WHERE $3::text IS NULL OR currency = $3 GROUP BY fact, currency`,
    [at ?? endOfTime, currency],
  );

/**
 * Returns the balance changes that make up payouts, newest first per payout. A payout contains the changes after the
 * previous payout, up to its own transfer. The changes are selected by `seq`, because a payout takes the next number
 * after its transfer under one lock. Don't select them by time. A release has the time of the preceding midnight, so
 * the first change after a payout can have an earlier date.
 */
export const readPayoutEntries = (
  sql: Query,
  payoutIds: readonly string[],
  limit: number,
): Promise<(Row<'LedgerTransfer'> & { readonly payoutId: string })[]> =>
  sql(
    `SELECT p.id AS "payoutId", entry.* FROM unnest($2::text[]) AS asked(id)
     JOIN "Payout" p ON p."environmentId" = $1 AND p.id = asked.id
     LEFT JOIN LATERAL (
       SELECT b.seq, b."createdAt" FROM "Payout" b
       WHERE b."environmentId" = $1 AND (b."createdAt", b.seq) < (p."createdAt", p.seq) ORDER BY b."createdAt" DESC, b.seq DESC LIMIT 1
     ) AS earlier ON TRUE
     CROSS JOIN LATERAL (
       SELECT t.* FROM "LedgerTransfer" t
       WHERE t."environmentId" = $1 AND (t."debitAccount" = 'merchant_available' OR t."creditAccount" = 'merchant_available')
         AND t.seq < p.seq AND t.seq > coalesce(earlier.seq, 0)
         AND t."occurredAt" <= p."createdAt" AND t."occurredAt" >= coalesce(earlier."createdAt" - interval '1 day', '-infinity')
       ORDER BY t."occurredAt" DESC, t.seq DESC LIMIT $3
     ) AS entry`,
    [payoutIds, limit],
  );
