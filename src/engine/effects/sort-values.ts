import { currencies, minorPerUnit, rateScale } from '../../domain/money/money.ts';
import type { SubscriptionStatus } from '../../domain/rows/enums.ts';
import type { Query } from '../../platform/db/pool.ts';
import { collectedSql } from '../collected-payments.ts';
import { isOwed } from '../owed-invoices.ts';
import type { NumberedRows } from './number.ts';

/** Tables whose rows determine the columns that customers are sorted by. */
const sources = ['subscriptions', 'invoices', 'transactions'] as const;

/** Returns the IDs of the customers whose sort columns can have changed. */
const changedCustomers = (rows: NumberedRows): string[] => [
  ...new Set(
    sources.flatMap((table) =>
      [...rows[table].added, ...rows[table].changed].map(({ customerId }) => customerId),
    ),
  ),
];

/** Ranks of subscription statuses. Customers without a current subscription have the rank 0. */
const ranks: Readonly<Record<SubscriptionStatus, bigint>> = {
  canceled: 0n,
  draft: 1n,
  pending_payment: 2n,
  trialing: 3n,
  active: 4n,
  past_due: 5n,
};

/** SQL for the number of ten-thousandths of a currency unit in a minor unit. */
const scaleOf = (currency: string): string => {
  const cases = [1n, 1_000n].map((perUnit) => {
    const codes = currencies.filter((code) => minorPerUnit(code) === perUnit).map((code) => `'${code}'`);
    return `WHEN ${currency} IN (${codes.join(', ')}) THEN ${rateScale / perUnit}`;
  });
  return `CASE ${cases.join(' ')} ELSE ${rateScale / 100n} END`;
};

/** Largest stored value of an amount. Larger sums have the same rank. */
const most = '9000000000000000000';
const capped = (sum: string): string => `least(coalesce(sum(${sum}), 0), ${most})::bigint`;

type SortValues = {
  readonly id: string;
  readonly mrr: bigint;
  readonly outstanding: bigint;
  readonly paid: bigint;
  readonly status: SubscriptionStatus | null;
  readonly plan: string;
};

/** Computes the sort columns of customers from their billing rows. Runs one SQL statement. */
const readSortValues = (sql: Query, ids: readonly string[]): Promise<SortValues[]> =>
  sql<SortValues>(
    `SELECT t.id,
       (SELECT ${capped('s.mrr::numeric')} FROM "Subscription" s WHERE s."environmentId" = $1 AND s."customerId" = t.id) AS mrr,
       (SELECT ${capped(`(i.total - i."creditedAmount" - i."paidInParts")::numeric * ${scaleOf('i.currency')}`)} FROM "Invoice" i
        WHERE i."environmentId" = $1 AND i."customerId" = t.id AND ${isOwed('i')}) AS outstanding,
       (SELECT ${capped(`a."amountMinor"::numeric * ${scaleOf('a.currency')}`)} FROM "Transaction" a
        WHERE a."environmentId" = $1 AND a."customerId" = t.id AND ${collectedSql('a')}) AS paid,
       latest.status, coalesce(latest."planId", '') AS plan
     FROM "Customer" t LEFT JOIN LATERAL (
       SELECT s.status, s."planId" FROM "Subscription" s WHERE s."environmentId" = $1 AND s."customerId" = t.id AND s.status <> 'canceled'
       ORDER BY s.status = 'pending_payment', s.seq DESC LIMIT 1) AS latest ON true
     WHERE t."environmentId" = $1 AND t.id = ANY($2)`,
    [ids],
  );

/**
 * Updates the columns that the list of customers is sorted by: recurring revenue, outstanding and collected amounts, and the status and the
 * plan of the subscription. Amounts in different currencies are added up without conversion. Runs two SQL statements after the billing rows
 * of the customers were written. The customers must be locked.
 */
export async function writeSortValues(sql: Query, rows: NumberedRows): Promise<void> {
  const ids = changedCustomers(rows);
  if (ids.length === 0) return;
  const values = await readSortValues(sql, ids);
  await sql(
    `UPDATE "Customer" c SET "sortMrr" = v.mrr, "sortOutstanding" = v.outstanding, "sortPaid" = v.paid,
       "sortStatus" = v.status, "sortPlan" = v.plan
     FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[]) AS v(id, mrr, outstanding, paid, status, plan)
     WHERE c."environmentId" = $1 AND c.id = v.id
       AND (c."sortMrr" <> v.mrr OR c."sortOutstanding" <> v.outstanding OR c."sortPaid" <> v.paid OR c."sortStatus" <> v.status OR c."sortPlan" <> v.plan)`,
    [
      values.map(({ id }) => id),
      values.map((value) => value.mrr),
      values.map(({ outstanding }) => outstanding),
      values.map(({ paid }) => paid),
      values.map(({ status }) => (status === null ? 0n : ranks[status])),
      values.map(({ plan }) => plan),
    ],
  );
}
