import type pg from 'pg';
import { dimensions, sumNames } from '../src/domain/metrics/movements.ts';
import { folding, quoted, storedDays } from '../src/modules/metrics/day-sums/store.ts';
import { rollupSums } from '../src/modules/metrics/metrics/store.ts';
import { type Filling, fillTables } from './bulk-load.ts';

// SQL that creates two years of data: subscriptions with one revenue change and one charge each, and the daily totals that the worker would
// write.

/** Number of days with data, starting on 2025-01-01. */
const days = 730;

/** Number higher than the sequence number of any copied row. */
const firstSeq = 1_000_000;

const dayOf = (n: string): string => `(timestamptz '2025-01-01Z' + ((${n}) % ${days}) * interval '1 day')`;

// If there are enough customers, each day has customers for every plan, country, and currency.
const plan = `'pln_' || (n / ${days}) % 20`;
const country = `(ARRAY['US', 'DE', 'FR', 'GB', 'ES'])[1 + (n / ${days * 20}) % 5]`;
const currency = `(ARRAY['usd', 'eur', 'gbp'])[1 + n % 3]`;
const amount = `(100000 + (n % 50) * 10000)`;

const state = `jsonb_build_object('base', ${amount}::text, 'discount', '0', 'seats', '0', 'quota', '0', 'addons', '0', 'planId', ${plan}, 'interval', 'monthly',
  'country', ${country}, 'provider', 'stripe', 'currency', ${currency}, 'isPastDue', false)`;

const numbers = 'generate_series($2::int, $3::int) AS n';

/** Returns a statement that copies the only row of a table and changes some columns. */
async function copies(
  client: pg.Client,
  table: string,
  values: Readonly<Record<string, string>>,
): Promise<Filling> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped',
    [`"${table}"`],
  );
  const columns = rows.map(({ name }) => `"${name}"`).join(', ');
  const copied = rows.map(({ name }) => values[name] ?? `t."${name}"`).join(', ');
  const original = `(SELECT * FROM "${table}" WHERE "environmentId" = $1 AND seq < ${firstSeq} LIMIT 1)`;
  return {
    table,
    text: `INSERT INTO "${table}" (${columns}) SELECT ${copied} FROM ${original} t, ${numbers}`,
  };
}

/** Tables with one row per subscription. */
const fillings = async (client: pg.Client): Promise<Filling[]> => [
  await copies(client, 'Customer', {
    id: `'cus_m' || n`,
    seq: `${firstSeq} + n`,
    externalId: `'m' || n`,
    email: `'m' || n || '@example.com'`,
  }),
  await copies(client, 'Subscription', {
    id: `'sub_m' || n`,
    seq: `${10 * firstSeq} + n`,
    customerId: `'cus_m' || n`,
    checkoutInvoiceId: 'NULL',
  }),
  {
    table: 'MrrEntry',
    text: `INSERT INTO "MrrEntry" ("environmentId", id, seq, "customerId", "subscriptionId", reason, before, after, "occurredAt")
      SELECT $1, 'mrr_m' || n, ${100 * firstSeq} + n, 'cus_m' || n, 'sub_m' || n, 'activated', NULL, ${state}, ${dayOf('n')} FROM ${numbers}`,
  },
  {
    table: 'LedgerTransfer',
    text: `INSERT INTO "LedgerTransfer" ("environmentId", id, seq, fact, "debitAccount", "creditAccount", currency, "amountMinor", "customerId", "occurredAt")
      SELECT $1, 'ltr_m' || n, ${200 * firstSeq} + n, 'payment.settled', 'a', 'b', ${currency}, 1900, 'cus_m' || n, ${dayOf('n')} FROM ${numbers}`,
  },
];

/** Revenue per day and combination of plan, country, and currency. All other totals are calculated from these rows. */
const combinations = `SELECT day, 'group' AS scope, currency, 'level' AS kind, '' AS reason, concat_ws('|', plan, 'monthly', country, 'stripe') AS "groupKey", '' AS "otherKey",
    amount, 0 AS customers, amount AS base, 0 AS discount, 0 AS seats, 0 AS quota, 0 AS addons, 0 AS "atRisk", 1 AS paying
  FROM (SELECT ${dayOf('n')} AS day, ${currency} AS currency, ${plan} AS plan, ${country} AS country, ${amount} AS amount FROM generate_series(1, $2::int) AS n) AS r`;

/** Returns SQL that calculates a scope's totals from the combinations. An example of a scope is `currency`. */
const addedUp = (scope: string, key: string): string =>
  `SELECT day, '${scope}' AS scope, currency, kind, reason, ${key} AS "groupKey", "otherKey", ${quoted(sumNames)} FROM ${storedDays(rollupSums, `scope = 'group'`)}`;

/** Revenue movements, all of type `new`. */
const movements = `SELECT day, scope, currency, 'new' AS kind, 'activated' AS reason, "groupKey", "otherKey", amount, paying AS customers,
    0 AS base, 0 AS discount, 0 AS seats, 0 AS quota, 0 AS addons, 0 AS "atRisk", 0 AS paying FROM ${storedDays(rollupSums, `kind = 'level'`)}`;

const scopes: readonly (readonly [scope: string, key: string])[] = [
  ['currency', `''`],
  ...dimensions.map((name, index) => [name, `split_part("groupKey", '|', ${index + 1})`] as const),
];

const currencies = `unnest(ARRAY['usd', 'eur', 'gbp']) AS currency`;

const everyDay = `generate_series(0, ${days - 1}) AS n`;

/** Groups of billed amounts by day and currency. */
const billedGroups = `(SELECT 'currency' AS scope, '' AS key UNION ALL SELECT 'plan', 'Plan ' || p FROM generate_series(1, 20) AS p
  UNION ALL SELECT 'invoice_type', 'recurring' UNION ALL SELECT 'line_type', l FROM unnest(ARRAY['plan_base', 'feature_seats', 'discount']) AS l) AS g`;

/** Groups of usage by day. */
const usageGroups = `(SELECT 'feature' AS scope, '' AS feature, 'ftr_' || f AS key FROM generate_series(1, 5) AS f
  UNION ALL SELECT 'model', '', '' UNION ALL SELECT 'plan', '', 'pln_' || p FROM generate_series(1, 20) AS p
  UNION ALL SELECT 'model', 'ftr_' || f, '' FROM generate_series(1, 5) AS f
  UNION ALL SELECT 'plan', 'ftr_' || f, 'pln_' || p FROM generate_series(1, 5) AS f, generate_series(1, 20) AS p) AS g`;

/** Statements that insert the rows for each day and group. */
const statements = [
  ...[combinations, ...scopes.map((scope) => addedUp(...scope)), movements].map((rows) =>
    folding(rollupSums, rows),
  ),
  folding(
    { table: 'LedgerDay', keys: ['currency', 'fact'], amounts: ['amountMinor'] },
    `SELECT ${dayOf('n')} AS day, currency, fact, 1900 * $2::int / ${days * 3} AS "amountMinor" FROM ${everyDay}, ${currencies}, unnest(ARRAY['payment.settled',
       'payment.refunded', 'payment.tax_refunded', 'dispute.lost', 'payment.fee_kept', 'invoice.uncollectible', 'invoice.issued']) AS fact`,
  ),
  folding(
    { table: 'BilledDay', keys: ['currency', 'scope', 'groupKey'], amounts: ['amountMinor'] },
    `SELECT ${dayOf('n')} AS day, currency, scope, key AS "groupKey", $2::int AS "amountMinor" FROM ${everyDay}, ${currencies}, ${billedGroups}`,
  ),
  folding(
    { table: 'ReceivableDay', keys: ['currency', 'dueDay'], amounts: ['amountMinor'] },
    `SELECT ${dayOf('n')} AS day, currency, ${dayOf('n + d')} AS "dueDay", $2::int AS "amountMinor" FROM ${everyDay}, ${currencies}, generate_series(0, 30, 10) AS d`,
  ),
  folding(
    { table: 'TrialDay', keys: [], amounts: ['started', 'ended', 'converted', 'lost'] },
    `SELECT ${dayOf('n')} AS day, 100 AS started, 100 AS ended, 60 AS converted, 40 AS lost FROM ${everyDay}`,
  ),
  folding(
    {
      table: 'RecoveryDay',
      keys: ['currency', 'outcome', 'maker', 'attempts'],
      amounts: ['count', 'amountMinor'],
    },
    `SELECT ${dayOf('n')} AS day, currency, 'recovered' AS outcome, 'retry' AS maker, attempts, 100 AS count, 190000 AS "amountMinor"
     FROM ${everyDay}, ${currencies}, generate_series(1, 4) AS attempts`,
  ),
  folding(
    {
      table: 'UsageDay',
      keys: ['scope', 'featureId', 'groupKey'],
      amounts: ['events', 'units', 'lateUnits', 'credits'],
    },
    `SELECT ${dayOf('n')} AS day, scope, feature AS "featureId", key AS "groupKey", 1000 AS events, 5000 AS units, 10 AS "lateUnits", 0 AS credits FROM ${everyDay}, ${usageGroups}`,
  ),
  `INSERT INTO "MrrCohort" ("environmentId", cohort, month, currency, customers, mrr) SELECT $1, to_char(timestamp '2025-01-01' + a * interval '1 month', 'YYYY-MM'), to_char(timestamp '2025-01-01' + b * interval '1 month', 'YYYY-MM'), c, $2::int / 72, $2::int
   FROM generate_series(0, 23) AS a, generate_series(0, 23) AS b, unnest(ARRAY['usd', 'eur', 'gbp']) AS c WHERE b >= a`,
  `INSERT INTO "MrrRetention" ("environmentId", month, months, currency, customers, "left", opening, closing, retained) SELECT $1, '2026-12', 12, c, $2::int, $2::int, 1, 1, 1 FROM unnest(ARRAY['usd', 'eur', 'gbp']) AS c`,
  `UPDATE "SumCursor" SET seq = 1000000000 WHERE "environmentId" = $1 AND source <> 'usage'`,
  `UPDATE "SumCursor" SET day = '2026-12-31', "closedMonth" = '2026-11' WHERE "environmentId" = $1 AND source = 'revenue'`,
  `UPDATE "EnvironmentCounter" SET "activeSubscriptions" = (SELECT count(*) FROM "Subscription" WHERE "environmentId" = $1 AND status = 'active') WHERE "environmentId" = $1`,
];

/** Inserts the rows for many subscriptions. The environment must already contain one subscription to copy. */
export async function seedMetrics(
  client: pg.Client,
  environmentId: string,
  subscriptions: number,
): Promise<void> {
  const fill = { environmentId, count: subscriptions, more: statements };
  await fillTables(client, fill, await fillings(client));
}
