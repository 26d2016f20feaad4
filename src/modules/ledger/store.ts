import { frozenSql, inTransitSql, pendingSql } from '../../engine/payout-store.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

/**
 * A sum the ledger check compares: transfers by fact, accounts, currency and customer; outstanding invoices and
 * what remains of customer credits by customer and currency; what transactions have left with the processor, the fees kept of them and what
 * open disputes hold, by currency; and of the organization's funds what is held, frozen and on its way to the bank. Amounts are minor units.
 */
export type LedgerSum = {
  readonly source:
    | 'transfers'
    | 'outstanding'
    | 'credits'
    | 'settled'
    | 'fees'
    | 'held'
    | 'pending'
    | 'frozen'
    | 'in_transit';
  readonly fact: string | null;
  readonly debitAccount: string | null;
  readonly creditAccount: string | null;
  readonly currency: string;
  readonly customerId: string | null;
  readonly amountMinor: bigint;
  /** How many transfers were summed up; 0 for documents. */
  readonly transfers: number;
  /** False when one of the rows summed up was not positive. */
  readonly isPositive: boolean;
};

/** All sums of the environment, read by one statement, so that no commit falls between the ledger and the documents. */
export const readLedgerSums = (sql: Query): Promise<LedgerSum[]> =>
  sql<LedgerSum>(
    `SELECT 'transfers' AS source, fact, "debitAccount", "creditAccount", currency, "customerId",
            SUM("amountMinor")::bigint AS "amountMinor", BOOL_AND("amountMinor" > 0) AS "isPositive", count(*)::int AS transfers
     FROM "LedgerTransfer" WHERE "environmentId" = $1 GROUP BY fact, "debitAccount", "creditAccount", currency, "customerId"
     UNION ALL
     SELECT 'outstanding', NULL, NULL, NULL, currency, "customerId", SUM(total)::bigint, TRUE, 0
     FROM "Invoice" WHERE "environmentId" = $1 AND status = 'outstanding' GROUP BY currency, "customerId"
     UNION ALL
     SELECT 'credits', NULL, NULL, NULL, currency, "customerId", SUM("remainingMinor")::bigint, TRUE, 0
     FROM "CustomerCredit" WHERE "environmentId" = $1 GROUP BY currency, "customerId"
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

/** What was posted to an account in one currency: minor units. */
export type AccountSum = {
  readonly name: string;
  readonly currency: string;
  readonly debit: bigint;
  readonly credit: bigint;
};

/** What was posted to each account by currency; of one currency where it is given. */
export const readAccountSums = (sql: Query, currency: string | null): Promise<AccountSum[]> =>
  sql<AccountSum>(
    `SELECT name, currency, SUM(debit)::bigint AS debit, SUM(credit)::bigint AS credit FROM (
       SELECT "debitAccount" AS name, currency, SUM("amountMinor") AS debit, 0 AS credit FROM "LedgerTransfer"
       WHERE "environmentId" = $1 AND ($2::text IS NULL OR currency = $2) GROUP BY "debitAccount", currency
       UNION ALL
       SELECT "creditAccount", currency, 0, SUM("amountMinor") FROM "LedgerTransfer"
       WHERE "environmentId" = $1 AND ($2::text IS NULL OR currency = $2) GROUP BY "creditAccount", currency) AS posted
     GROUP BY name, currency ORDER BY currency, name`,
    [currency],
  );

/**
 * What made up the balance that payouts took from, for each of them the latest first: the changes of the available balance after the payout
 * before it, up to the one it made itself. Numbers tell them apart: a payout has the next number after its transfer, under one lock. A release
 * bears the midnight before, so that the one after a payout may be a day earlier.
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
