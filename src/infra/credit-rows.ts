import type { Query } from './db.ts';

/** What a customer can use of its credits in one currency; minor units, above 0. */
export type CreditBalance = { readonly customerId: string; readonly currency: string; readonly amountMinor: bigint };

/** What each of the customers can use at an instant, by currency. One statement for all customers. */
export const readCreditBalances = (sql: Query, customerIds: readonly string[], at: Date): Promise<CreditBalance[]> =>
  sql<CreditBalance>(
    `SELECT t."customerId", t.currency, SUM(t."remainingMinor")::bigint AS "amountMinor" FROM "CustomerCredit" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t."remainingMinor" > 0 AND (t."expiresAt" IS NULL OR t."expiresAt" > $3)
     GROUP BY t."customerId", t.currency ORDER BY t.currency`,
    [customerIds, at],
  );
