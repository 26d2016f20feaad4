import type pg from 'pg';
import { dimensions } from '../src/domain/metrics/movements.ts';
import { type Filling, fillTables } from './bulk-load.ts';

// Rows of a business of two years by SQL: subscriptions with an entry each, a charge each, and the sums of days that the worker would have made.

/** Days of the business; it begins on 2025-01-01. */
const days = 730;

/** Higher than any number of the rows that are copied. */
const firstSeq = 1_000_000;

const dayOf = (n: string): string => `(timestamptz '2025-01-01Z' + ((${n}) % ${days}) * interval '1 day')`;
const day = (n: string): string => `to_char(${dayOf(n)} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

// Each day has customers of every plan, country and currency, as far as there are enough.
const plan = `'pln_' || (n / ${days}) % 20`;
const country = `(ARRAY['US', 'DE', 'FR', 'GB', 'ES'])[1 + (n / ${days * 20}) % 5]`;
const currency = `(ARRAY['usd', 'eur', 'gbp'])[1 + n % 3]`;
const amount = `(100000 + (n % 50) * 10000)`;

const state = `jsonb_build_object('base', ${amount}::text, 'discount', '0', 'seats', '0', 'quota', '0', 'addons', '0', 'planId', ${plan}, 'interval', 'monthly',
  'country', ${country}, 'provider', 'stripe', 'currency', ${currency}, 'isPastDue', false)`;

const numbers = 'generate_series($2::int, $3::int) AS n';

/** Copies of the one row of a table, with other values in some columns. */
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

/** One row for each subscription of what grows with them. */
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

const sums = ['amount', 'customers', 'base', 'discount', 'seats', 'quota', 'addons', 'atRisk', 'paying'];

const rollupColumns = `"MrrRollup" ("environmentId", id, scope, span, day, currency, kind, reason, "groupKey", "otherKey", ${sums.map((name) => `"${name}"`).join(', ')})`;

const rollupId = (scope: string, span: string, kind: string, key: string): string =>
  `concat_ws('/', '${scope}', '${span}', day, currency, '${kind}', ${key})`;

/** Levels of days by combination, from which all other sums are added up. */
const combinations = `INSERT INTO ${rollupColumns}
  SELECT $1, ${rollupId('group', 'day', 'level', 'key')}, 'group', 'day', day, currency, 'level', '', key, '', sum(amount), 0, sum(amount), 0, 0, 0, 0, 0, count(*)
  FROM (SELECT ${day('n')} AS day, ${currency} AS currency, concat_ws('|', ${plan}, 'monthly', ${country}, 'stripe') AS key, ${amount} AS amount
    FROM generate_series(1, $2::int) AS n) AS r GROUP BY day, currency, key`;

/** The sums of one scope and span, of which those of combinations and days exist. */
const addedUp = (scope: string, key: string, span: string, start: string): string =>
  `INSERT INTO ${rollupColumns}
   SELECT $1, ${rollupId(scope, span, 'level', 'key')}, '${scope}', '${span}', day, currency, 'level', '', key, '', ${sums.map((name) => `sum("${name}")`).join(', ')}
   FROM (SELECT ${start} AS day, ${key} AS key, currency, ${sums.map((name) => `"${name}"`).join(', ')} FROM "MrrRollup"
     WHERE "environmentId" = $1 AND scope = 'group' AND span = 'day') AS r GROUP BY day, currency, key`;

/** All that was added is new. */
const movements = `INSERT INTO ${rollupColumns}
  SELECT $1, concat_ws('/', scope, span, day, currency, 'new', "groupKey"), scope, span, day, currency, 'new', 'activated', "groupKey", '', amount, paying, 0, 0, 0, 0, 0, 0, 0
  FROM "MrrRollup" WHERE "environmentId" = $1 AND kind = 'level'`;

const scopes: readonly (readonly [scope: string, key: string])[] = [
  ['currency', `''`],
  ...dimensions.map((name, index) => [name, `split_part("groupKey", '|', ${index + 1})`] as const),
  ['group', '"groupKey"'],
];

const everyDay = `generate_series(0, ${days - 1}) AS n`;

/** Sums of months from those of days. */
const months = (table: string, keys: readonly string[], amounts: readonly string[]): string => {
  const quoted = (names: readonly string[]): string => names.map((name) => `, "${name}"`).join('');
  const added = amounts.map((name) => `, sum("${name}")`).join('');
  return `INSERT INTO "${table}" ("environmentId", id, span, day${quoted(keys)}${quoted(amounts)})
    SELECT $1, concat_ws(' ', 'month', date_trunc('month', day, 'UTC')${quoted(keys)}), 'month', date_trunc('month', day, 'UTC')${quoted(keys)}${added}
    FROM "${table}" WHERE "environmentId" = $1 AND span = 'day' GROUP BY date_trunc('month', day, 'UTC')${quoted(keys)}`;
};

/** What billed amounts are the sums of, with their groups of a day and currency. */
const billedGroups = `(SELECT 'currency' AS scope, '' AS key UNION ALL SELECT 'plan', 'Plan ' || p FROM generate_series(1, 20) AS p
  UNION ALL SELECT 'invoice_type', 'recurring' UNION ALL SELECT 'line_type', l FROM unnest(ARRAY['plan_base', 'feature_seats', 'discount']) AS l) AS g`;

/** The same of usage. */
const usageGroups = `(SELECT 'feature' AS scope, '' AS feature, 'ftr_' || f AS key FROM generate_series(1, 5) AS f
  UNION ALL SELECT 'model', '', '' UNION ALL SELECT 'plan', '', 'pln_' || p FROM generate_series(1, 20) AS p
  UNION ALL SELECT 'model', 'ftr_' || f, '' FROM generate_series(1, 5) AS f
  UNION ALL SELECT 'plan', 'ftr_' || f, 'pln_' || p FROM generate_series(1, 5) AS f, generate_series(1, 20) AS p) AS g`;

/** What grows with days and groups. */
const statements = [
  combinations,
  ...scopes.flatMap(([scope, key]) => [
    ...(scope === 'group' ? [] : [addedUp(scope, key, 'day', 'day')]),
    addedUp(scope, key, 'month', `left(day, 7) || '-01'`),
  ]),
  movements,
  `INSERT INTO "LedgerDay" ("environmentId", id, span, day, currency, fact, "amountMinor") SELECT $1, concat_ws(' ', n, c, f), 'day', ${dayOf('n')}, c, f, 1900 * $2::int / ${days * 3}
   FROM ${everyDay}, unnest(ARRAY['usd', 'eur', 'gbp']) AS c, unnest(ARRAY['payment.settled', 'payment.refunded', 'payment.tax_refunded', 'dispute.lost', 'payment.fee_kept', 'invoice.uncollectible', 'invoice.issued']) AS f`,
  `INSERT INTO "BilledDay" ("environmentId", id, span, day, currency, scope, "groupKey", "amountMinor") SELECT $1, concat_ws(' ', n, c, g.scope, g.key), 'day', ${dayOf('n')}, c, g.scope, g.key, $2::int
   FROM ${everyDay}, unnest(ARRAY['usd', 'eur', 'gbp']) AS c, ${billedGroups}`,
  months('LedgerDay', ['currency', 'fact'], ['amountMinor']),
  months('BilledDay', ['currency', 'scope', 'groupKey'], ['amountMinor']),
  `INSERT INTO "ReceivableDay" ("environmentId", id, span, day, currency, "dueDay", "amountMinor") SELECT $1, concat_ws(' ', n, c, d), 'day', ${dayOf('n')}, c, ${dayOf('n + d')}, $2::int
   FROM ${everyDay}, unnest(ARRAY['usd', 'eur', 'gbp']) AS c, generate_series(0, 30, 10) AS d`,
  months('ReceivableDay', ['currency', 'dueDay'], ['amountMinor']),
  `INSERT INTO "TrialDay" ("environmentId", id, span, day, started, ended, converted, lost) SELECT $1, n, 'day', ${dayOf('n')}, 100, 100, 60, 40 FROM ${everyDay}`,
  months('TrialDay', [], ['started', 'ended', 'converted', 'lost']),
  `INSERT INTO "RecoveryDay" ("environmentId", id, span, day, currency, outcome, maker, attempts, count, "amountMinor") SELECT $1, concat_ws(' ', n, c, a), 'day', ${dayOf('n')}, c, 'recovered', 'retry', a, 100, 190000
   FROM ${everyDay}, unnest(ARRAY['usd', 'eur', 'gbp']) AS c, generate_series(1, 4) AS a`,
  `INSERT INTO "UsageDay" ("environmentId", id, span, day, scope, "featureId", "groupKey", events, units, "lateUnits", credits)
   SELECT $1, concat_ws(' ', n, g.scope, g.feature, g.key), 'day', ${dayOf('n')}, g.scope, g.feature, g.key, 1000, 5000, 10, 0 FROM ${everyDay}, ${usageGroups}`,
  months('UsageDay', ['scope', 'featureId', 'groupKey'], ['events', 'units', 'lateUnits', 'credits']),
  months('RecoveryDay', ['currency', 'outcome', 'maker', 'attempts'], ['count', 'amountMinor']),
  `INSERT INTO "MrrCohort" ("environmentId", cohort, month, currency, customers, mrr) SELECT $1, to_char(timestamp '2025-01-01' + a * interval '1 month', 'YYYY-MM'), to_char(timestamp '2025-01-01' + b * interval '1 month', 'YYYY-MM'), c, $2::int / 72, $2::int
   FROM generate_series(0, 23) AS a, generate_series(0, 23) AS b, unnest(ARRAY['usd', 'eur', 'gbp']) AS c WHERE b >= a`,
  `INSERT INTO "MrrRetention" ("environmentId", month, months, currency, customers, "left", opening, closing, retained) SELECT $1, '2026-12', 12, c, $2::int, $2::int, 1, 1, 1 FROM unnest(ARRAY['usd', 'eur', 'gbp']) AS c`,
  `UPDATE "MetricsCursor" SET seq = 1000000000, day = '2026-12-31', "closedMonth" = '2026-11' WHERE "environmentId" = $1`,
  `UPDATE "EnvironmentCounter" SET "activeSubscriptions" = (SELECT count(*) FROM "Subscription" WHERE "environmentId" = $1 AND status = 'active') WHERE "environmentId" = $1`,
  `UPDATE "LedgerDayCursor" SET seq = 1000000000 WHERE "environmentId" = $1`,
  `UPDATE "MetricsCursor" SET position = 1000000000 WHERE "environmentId" = $1`,
];

/** Writes the rows of so many subscriptions to an environment that has one. */
export async function seedMetrics(
  client: pg.Client,
  environmentId: string,
  subscriptions: number,
): Promise<void> {
  const fill = { environmentId, count: subscriptions, more: statements };
  await fillTables(client, fill, await fillings(client));
}
