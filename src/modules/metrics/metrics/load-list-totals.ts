import { isOwed } from '../../../engine/owed-invoices.ts';
import type { Page } from '../../../graphql/reading/connections.ts';

/** Totals of customers in one currency. `mrr` is in ten-thousandths of the currency unit, other amounts are in minor units. */
export type CustomerSums = {
  readonly currency: string;
  readonly mrr: bigint;
  readonly outstanding: bigint;
  readonly totalPaid: bigint;
};

/** SQL for the recurring revenue in the column `after` of an `MrrEntry` row. */
const mrr = ['base', 'discount', 'seats', 'quota', 'addons']
  .map((part) => `(latest.after->>'${part}')::bigint`)
  .join(' + ');

/** Returns a SELECT for the totals of the customers whose IDs an SQL expression contains, by currency. */
const totalsOf = (ids: string): string =>
  `SELECT currency, sum(mrr)::bigint AS mrr, sum(outstanding)::bigint AS outstanding, sum(paid)::bigint AS "totalPaid" FROM (
     SELECT latest.after->>'currency' AS currency, ${mrr} AS mrr, 0::bigint AS outstanding, 0::bigint AS paid
     FROM "Subscription" s CROSS JOIN LATERAL (
       SELECT e.after FROM "MrrEntry" e WHERE e."environmentId" = $1 AND e."subscriptionId" = s.id ORDER BY e.seq DESC LIMIT 1) AS latest
     WHERE s."environmentId" = $1 AND s."customerId" = ANY(${ids}) AND latest.after IS NOT NULL
     UNION ALL
     SELECT i.currency, 0, i.total - i."creditedAmount", 0 FROM "Invoice" i
     WHERE i."environmentId" = $1 AND i."customerId" = ANY(${ids}) AND ${isOwed('i')}
     UNION ALL
     SELECT a.currency, 0, 0, a."amountMinor" FROM "Transaction" a
     WHERE a."environmentId" = $1 AND a."customerId" = ANY(${ids}) AND a."paidAt" IS NOT NULL) AS amounts
   GROUP BY currency HAVING sum(mrr) <> 0 OR sum(outstanding) <> 0 OR sum(paid) <> 0 ORDER BY sum(paid) DESC, currency`;

/** Loads the totals of all customers in a list, by currency. `null` if the list has more than `upTo` customers. Runs two SQL statements. */
export const loadListTotals = (page: Page<object>, upTo: number) =>
  page.derived(totalsOf, upTo) as Promise<readonly CustomerSums[] | null>;
