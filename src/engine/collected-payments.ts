// Condition for collected payments, shared by all SQL statements that sum collected amounts.

/** SQL condition: the charge succeeded, and the payer's bank didn't return the money. Must match `isCollected` in the domain. */
export const collectedSql = (transaction: string): string =>
  `${transaction}."paidAt" IS NOT NULL AND ${transaction}."returnedAt" IS NULL`;
