import type pg from 'pg';

// Rows of a business of two years by SQL: subscriptions with an entry each, a charge each, and the sums of days that the worker would have made.

/** Days of the business; it begins on 2025-01-01. */
const days = 730;

const dayOf = (n: string): string => `(timestamptz '2025-01-01Z' + ((${n}) % ${days}) * interval '1 day')`;
const day = (n: string): string => `to_char(${dayOf(n)} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
const currency = (n: string): string => `(ARRAY['usd', 'eur', 'gbp'])[1 + (${n}) % 3]`;
const plan = (n: string): string => `'pln_' || (${n}) % 20`;
const country = (n: string): string => `(ARRAY['US', 'DE', 'FR', 'GB', 'ES'])[1 + (${n}) % 5]`;
const amount = (n: string): string => `(100000 + ((${n}) % 50) * 10000)`;

/** Copies of the one row of a table, with other values in some columns. */
const copies = (table: string, values: string): string =>
  `INSERT INTO "${table}" SELECT (jsonb_populate_record(t, jsonb_build_object(${values}))).*
   FROM "${table}" t, generate_series(1, $2::int) AS n WHERE t."environmentId" = $1 AND t.id = (SELECT min(id) FROM "${table}" WHERE "environmentId" = $1)`;

const state = `jsonb_build_object('base', ${amount('n')}::text, 'discount', '0', 'seats', '0', 'quota', '0', 'addons', '0', 'planId', ${plan('n')}, 'interval', 'monthly',
  'country', ${country('n')}, 'provider', 'stripe', 'currency', ${currency('n')}, 'isPastDue', false)`;

const rollups = (scope: string, kind: string, group: string): string =>
  `INSERT INTO "MrrRollup" ("environmentId", id, scope, day, currency, kind, reason, "groupKey", "otherKey", amount, customers, base, discount, seats, quota, addons, "atRisk", paying)
   SELECT $1, concat_ws('/', '${scope}', r.day, r.currency, '${kind}', r.key), '${scope}', r.day, r.currency, '${kind}', ${kind === 'new' ? `'activated'` : `''`}, r.key, '',
     sum(r.amount), count(*), ${kind === 'new' ? '0' : 'sum(r.amount)'}, 0, 0, 0, 0, 0, count(*)
   FROM (SELECT ${day('n')} AS day, ${currency('n')} AS currency, ${group} AS key, ${amount('n')} AS amount FROM generate_series(1, $2::int) AS n) AS r
   GROUP BY r.day, r.currency, r.key`;

const groupKey = `concat_ws('|', ${plan('n')}, 'monthly', ${country('n')}, 'stripe')`;

const everyDay = `generate_series(0, ${days - 1}) AS n`;

const statements = [
  copies(
    'Customer',
    `'id', 'cus_m' || n, 'seq', 1000000 + n, 'externalId', 'm' || n, 'email', 'm' || n || '@example.com'`,
  ),
  copies(
    'Subscription',
    `'id', 'sub_m' || n, 'seq', 10000000 + n, 'customerId', 'cus_m' || n, 'checkoutInvoiceId', NULL`,
  ),
  `INSERT INTO "MrrEntry" ("environmentId", id, seq, "customerId", "subscriptionId", reason, before, after, "occurredAt")
   SELECT $1, 'mrr_m' || n, 100000000 + n, 'cus_m' || n, 'sub_m' || n, 'activated', NULL, ${state}, ${dayOf('n')} FROM generate_series(1, $2::int) AS n`,
  `INSERT INTO "LedgerTransfer" ("environmentId", id, seq, fact, "debitAccount", "creditAccount", currency, "amountMinor", "customerId", "occurredAt")
   SELECT $1, 'ltr_m' || n, 200000000 + n, 'payment.settled', 'a', 'b', ${currency('n')}, 1900, 'cus_m' || n, ${dayOf('n')} FROM generate_series(1, $2::int) AS n`,
  rollups('currency', 'level', `''::text`),
  rollups('currency', 'new', `''::text`),
  rollups('group', 'level', groupKey),
  rollups('group', 'new', groupKey),
  `INSERT INTO "LedgerDay" ("environmentId", id, day, currency, fact, "amountMinor") SELECT $1, concat_ws(' ', n, c, f), ${dayOf('n')}, c, f, 1900 * $2::int / ${days * 3}
   FROM ${everyDay}, unnest(ARRAY['usd', 'eur', 'gbp']) AS c, unnest(ARRAY['payment.settled', 'payment.refunded', 'payment.tax_refunded', 'dispute.lost', 'payment.fee_kept', 'invoice.uncollectible', 'invoice.issued']) AS f`,
  `INSERT INTO "BilledDay" ("environmentId", id, day, currency, "invoiceType", "lineType", "planName", "amountMinor") SELECT $1, concat_ws(' ', n, c, l, p), ${dayOf('n')}, c, 'recurring', l::"InvoiceLineType", 'Plan ' || p, $2::int
   FROM ${everyDay}, unnest(ARRAY['usd', 'eur', 'gbp']) AS c, unnest(ARRAY['plan_base', 'feature_seats', 'discount']) AS l, generate_series(1, 20) AS p`,
  `INSERT INTO "ReceivableDay" ("environmentId", id, day, currency, "dueDay", "amountMinor") SELECT $1, concat_ws(' ', n, c, d), ${dayOf('n')}, c, ${dayOf('n + d')}, $2::int
   FROM ${everyDay}, unnest(ARRAY['usd', 'eur', 'gbp']) AS c, generate_series(0, 30, 10) AS d`,
  `INSERT INTO "TrialDay" ("environmentId", id, day, started, ended, converted, lost) SELECT $1, n, ${dayOf('n')}, 100, 100, 60, 40 FROM ${everyDay}`,
  `INSERT INTO "RecoveryDay" ("environmentId", id, day, currency, outcome, maker, attempts, count, "amountMinor") SELECT $1, concat_ws(' ', n, c, a), ${dayOf('n')}, c, 'recovered', 'retry', a, 100, 190000
   FROM ${everyDay}, unnest(ARRAY['usd', 'eur', 'gbp']) AS c, generate_series(1, 4) AS a`,
  `INSERT INTO "UsageDay" ("environmentId", id, day, "featureId", "planId", events, units, "lateUnits", credits) SELECT $1, concat_ws(' ', n, f, p), ${dayOf('n')}, 'ftr_' || f, 'pln_' || p, 1000, 5000, 10, 0
   FROM ${everyDay}, generate_series(1, 5) AS f, generate_series(1, 20) AS p`,
  `INSERT INTO "MrrCohort" ("environmentId", cohort, month, currency, customers, mrr) SELECT $1, to_char(timestamp '2025-01-01' + a * interval '1 month', 'YYYY-MM'), to_char(timestamp '2025-01-01' + b * interval '1 month', 'YYYY-MM'), c, $2::int / 72, $2::int
   FROM generate_series(0, 23) AS a, generate_series(0, 23) AS b, unnest(ARRAY['usd', 'eur', 'gbp']) AS c WHERE b >= a`,
  `INSERT INTO "MrrRetention" ("environmentId", month, months, currency, customers, "left", opening, closing, retained) SELECT $1, '2026-12', 12, c, $2::int, $2::int, 1, 1, 1 FROM unnest(ARRAY['usd', 'eur', 'gbp']) AS c`,
  `UPDATE "MetricsCursor" SET seq = 1000000000, day = '2026-12-31', "closedMonth" = '2026-11' WHERE "environmentId" = $1`,
  `UPDATE "LedgerDayCursor" SET seq = 1000000000 WHERE "environmentId" = $1`,
  `UPDATE "MetricsCursor" SET position = 1000000000 WHERE "environmentId" = $1`,
];

/** Writes the rows of so many subscriptions to an environment that has one. */
export async function seedMetrics(
  client: pg.Client,
  environmentId: string,
  subscriptions: number,
): Promise<void> {
  for (const text of statements)
    await client.query(text, text.includes('$2') ? [environmentId, subscriptions] : [environmentId]);
  await client.query('VACUUM ANALYZE');
}
