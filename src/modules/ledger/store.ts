import { frozenSql, inTransitSql, pendingSql } from '../../engine/payout-store.ts';
import type { Query } from '../../platform/db/pool.ts';

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
  /** False when one of the rows summed up was not positive. */
  readonly isPositive: boolean;
};

/** All sums of the environment, read by one statement, so that no commit falls between the ledger and the documents. */
export const readLedgerSums = (sql: Query): Promise<LedgerSum[]> =>
  sql<LedgerSum>(
    `SELECT 'transfers' AS source, fact, "debitAccount", "creditAccount", currency, "customerId",
            SUM("amountMinor")::bigint AS "amountMinor", BOOL_AND("amountMinor" > 0) AS "isPositive"
     FROM "LedgerTransfer" WHERE "environmentId" = $1 GROUP BY fact, "debitAccount", "creditAccount", currency, "customerId"
     UNION ALL
     SELECT 'outstanding', NULL, NULL, NULL, currency, "customerId", SUM(total)::bigint, TRUE
     FROM "Invoice" WHERE "environmentId" = $1 AND status = 'outstanding' GROUP BY currency, "customerId"
     UNION ALL
     SELECT 'credits', NULL, NULL, NULL, currency, "customerId", SUM("remainingMinor")::bigint, TRUE
     FROM "CustomerCredit" WHERE "environmentId" = $1 GROUP BY currency, "customerId"
     UNION ALL
     SELECT 'settled', NULL, NULL, NULL, currency, NULL, SUM("amountMinor" - "refundedMinor")::bigint, TRUE
     FROM "Transaction" WHERE "environmentId" = $1 AND status = 'succeeded' GROUP BY currency
     UNION ALL
     SELECT 'fees', NULL, NULL, NULL, 'usd', NULL, SUM("feeUsdMinor")::bigint, TRUE
     FROM "Transaction" WHERE "environmentId" = $1 AND "feeUsdMinor" > 0 GROUP BY "environmentId"
     UNION ALL
     SELECT 'held', NULL, NULL, NULL, currency, NULL, SUM("amountMinor" - "refundedMinor")::bigint, TRUE
     FROM "Transaction" WHERE "environmentId" = $1 AND status = 'disputed' AND "disputeOutcome" IS NULL GROUP BY currency
     UNION ALL
     SELECT 'pending', NULL, NULL, NULL, 'usd', NULL, (${pendingSql}), TRUE
     UNION ALL
     SELECT 'frozen', NULL, NULL, NULL, 'usd', NULL, (${frozenSql}), TRUE
     UNION ALL
     SELECT 'in_transit', NULL, NULL, NULL, 'usd', NULL, (${inTransitSql}), TRUE`,
  );
