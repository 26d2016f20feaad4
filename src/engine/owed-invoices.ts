// Condition for unpaid invoices, shared by all SQL statements that sum outstanding amounts.

/** SQL condition: the invoice is outstanding and final. Excludes invoices for unpaid checkouts (BIL-30). */
export const isOwed = (invoice: string): string =>
  `${invoice}.status = 'outstanding' AND ${invoice}.status <> 'paid' AND ${invoice}."finalizedAt" IS NOT NULL`;
