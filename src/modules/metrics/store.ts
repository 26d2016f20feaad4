import type { CustomerState, Folded, FoldedEntry, RewrittenDay } from '../../domain/metrics/fold.ts';
import { type MrrSums, noSums } from '../../domain/metrics/movements.ts';
import type { Day } from '../../domain/metrics/range.ts';
import type { RecurringSubscription } from '../../domain/metrics/recurring.ts';
import type { MrrEntryRow, MrrState } from '../../domain/subscription/state/recurring-rows.ts';
import { arrayInsert, columnList } from '../../platform/db/bulk.ts';
import { arrayParameters } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { EnvironmentKey } from '../../platform/queue/lease.ts';
import { isFree, leaseTable } from '../../platform/queue/lease-table.ts';
import {
  type Dimension,
  dimensions,
  type GroupedRow,
  type RollupChoice,
  retentionMonths,
  scopeOf,
} from './rules.ts';

/** The leases of environments by the workers that add up their entries. */
export const metricsLeases = leaseTable<EnvironmentKey>('MetricsCursor', ['environmentId']);

/** How far entries are added up. */
export type Cursor = Pick<Row<'MetricsCursor'>, 'seq' | 'day' | 'closesAt'>;

/**
 * Up to `limit` environments nobody adds up entries of, and no clock run works in, that have entries that wait, or a month that ended by `now` or
 * by their test clock. Locks nothing.
 */
export const findMetricsWork = (query: Query, now: Date, limit: number): Promise<EnvironmentKey[]> =>
  query<EnvironmentKey>(
    `SELECT k."environmentId" FROM "MetricsCursor" k LEFT JOIN "TestClock" c ON c."environmentId" = k."environmentId"
     WHERE ${isFree('k', '$1')}
       AND (k."closesAt" <= coalesce(c."simulatedTime", $1)
         OR EXISTS (SELECT 1 FROM "MrrEntry" e WHERE e."environmentId" = k."environmentId" AND e.seq > k.seq))
       AND NOT EXISTS (SELECT 1 FROM "TestClockRun" r WHERE r."environmentId" = k."environmentId" AND r.status IN ('pending', 'running'))
     ORDER BY k."leaseUntil" NULLS FIRST LIMIT $2`,
    [now, limit],
  );

/** How far entries are added up. Where they never were, nothing is. */
export async function readCursor(sql: Query): Promise<Cursor> {
  const [row] = await sql<Cursor>(
    'SELECT seq, day, "closesAt" FROM "MetricsCursor" WHERE "environmentId" = $1',
  );
  return row ?? { seq: 0n, day: null, closesAt: null };
}

/** The same, locked until the transaction ends; null when the environment is leased to another worker. Any worker's where `owner` is null. */
export async function lockCursor(sql: Query, owner: string | null): Promise<Cursor | null> {
  const [row] = await sql<Cursor>(
    `SELECT seq, day, "closesAt" FROM "MetricsCursor"
     WHERE "environmentId" = $1 AND ($2::text IS NULL OR "leaseOwner" = $2) FOR UPDATE`,
    [owner],
  );
  return row ?? null;
}

/** Notes how far entries are added up. */
export async function moveCursor(sql: Query, { seq, day, closesAt }: Cursor): Promise<void> {
  await sql('UPDATE "MetricsCursor" SET seq = $2, day = $3, "closesAt" = $4 WHERE "environmentId" = $1', [
    seq,
    day,
    closesAt,
  ]);
}

/** Up to `limit` entries after a seq, in order. */
export const readEntries = (sql: Query, after: bigint, limit: number): Promise<FoldedEntry[]> =>
  sql<FoldedEntry>(
    `SELECT ${columnList('MrrEntry', 't')} FROM "MrrEntry" t WHERE t."environmentId" = $1 AND t.seq > $2 ORDER BY t.seq LIMIT $3`,
    [after, limit],
  );

/** An entry with the customer's day it was added to: customer, day and the seq of the day's last entry, separated by `/`. */
export type DayEntry = MrrEntryRow & { readonly key: string };

/**
 * The entries that were added to days of customers, in order. A day holds what came since the first entry that reached it, which is looked for after
 * the last movement of an earlier day. One statement.
 */
export function readDayEntries(sql: Query, days: readonly (readonly string[])[]): Promise<DayEntry[]> {
  const parts = [0, 1, 2].map((place) => days.map((day) => day[place]));
  return sql<DayEntry>(
    `WITH r AS (SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[]) AS r("customerId", day, seq)),
     begun AS (SELECT d.day, (
         SELECT e.seq FROM "MrrEntry" e WHERE e."environmentId" = $1
           AND e.seq > coalesce((SELECT c.seq FROM "MrrCustomerDay" c WHERE c."environmentId" = $1 AND c.day < d.day
             ORDER BY c.day DESC, c.seq DESC LIMIT 1), 0)
           AND e."occurredAt" >= d.day::timestamp AT TIME ZONE 'UTC'
         ORDER BY e.seq LIMIT 1) AS seq
       FROM (SELECT DISTINCT r.day FROM r) AS d)
     SELECT concat_ws('/', r."customerId", r.day, r.seq) AS key, ${columnList('MrrEntry', 't')}
     FROM r JOIN begun b ON b.day = r.day
       JOIN "MrrEntry" t ON t."environmentId" = $1 AND t."customerId" = r."customerId" AND t.seq BETWEEN least(b.seq, r.seq) AND r.seq
     ORDER BY t.seq`,
    parts,
  );
}

/** Customers as far as entries are added up, by id. */
export async function readCustomers(
  sql: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CustomerState>> {
  const rows = await sql<Row<'MrrCustomer'>>(
    `SELECT ${columnList('MrrCustomer', 't')} FROM "MrrCustomer" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2)`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.customerId, row]));
}

const text = (name: string) => ({ name, sqlType: 'text' }) as const;
const bigint = (name: string) => ({ name, sqlType: 'bigint' }) as const;
const json = (name: string) => ({ name, sqlType: 'jsonb' }) as const;

const sumNames = Object.keys(noSums) as readonly (keyof MrrSums)[];

const rollupColumns = [
  text('id'),
  ...['scope', 'day', 'currency', 'kind', 'reason', 'groupKey', 'otherKey'].map(text),
  ...sumNames.map(bigint),
] as const;
const rollupInsert = arrayInsert('MrrRollup', rollupColumns, {
  onConflict: `ON CONFLICT ("environmentId", id) DO UPDATE SET ${sumNames
    .map((name) => `"${name}" = "MrrRollup"."${name}" + EXCLUDED."${name}"`)
    .join(', ')}`,
});

const customerColumns = [
  text('customerId'),
  text('day'),
  json('opening'),
  json('current'),
  json('reasons'),
  text('paidBefore'),
  text('firstPaidDay'),
] as const;
const customerInsert = arrayInsert('MrrCustomer', customerColumns, {
  onConflict: `ON CONFLICT ("environmentId", "customerId") DO UPDATE SET ${customerColumns
    .map(({ name }) => `"${name}" = EXCLUDED."${name}"`)
    .join(', ')}`,
});

/** Replaces the movements of days that were worked out again. */
async function writeDays(sql: Query, days: readonly RewrittenDay[]): Promise<void> {
  await sql(
    `DELETE FROM "MrrCustomerDay" t USING unnest($2::text[], $3::text[]) AS r("customerId", day)
     WHERE t."environmentId" = $1 AND t."customerId" = r."customerId" AND t.day = r.day`,
    [days.map(({ customerId }) => customerId), days.map(({ day }) => day)],
  );
  const rows = days.flatMap(({ movements }) => movements);
  if (rows.length === 0) return;
  await sql(
    `INSERT INTO "MrrCustomerDay" ("environmentId", id, seq, day, "customerId", currency, kind, reason, before, after, "planIds")
     SELECT $1, r.id, r.seq, r.day, r."customerId", r.currency, r.kind, r.reason, r.before, r.after, r."planIds"
     FROM json_to_recordset($2::json) AS r(id text, seq bigint, day text, "customerId" text, currency text, kind text, reason text, before bigint, after bigint, "planIds" text[])`,
    [
      JSON.stringify(
        rows.map(({ seq, before, after, ...row }) => ({
          ...row,
          id: `${row.customerId}/${row.day}/${row.currency}`,
          seq: String(seq),
          before: String(before),
          after: String(after),
        })),
      ),
    ],
  );
}

/** Stores what entries led to. Four statements. */
export async function writeFolded(sql: Query, { customers, rollups, days }: Folded): Promise<void> {
  if (rollups.length > 0) await sql(rollupInsert, [...arrayParameters(rollupColumns, rollups)]);
  await sql(customerInsert, [...arrayParameters(customerColumns, [...customers.values()])]);
  await writeDays(sql, days);
}

/** Deletes everything that is worked out from entries. */
export async function deleteFolded(sql: Query): Promise<void> {
  for (const table of [
    'MrrRollup',
    'MrrCustomer',
    'MrrCustomerDay',
    'MrrMonth',
    'MrrRetention',
    'MrrCohort',
  ] as const)
    await sql(`DELETE FROM "${table}" WHERE "environmentId" = $1`);
}

/**
 * Sums of days from `from` to `to`, and the levels of all days before as rows of an empty day. What moved between combinations of one group is left
 * out. One statement; it reads rows of days and groups, not of customers.
 */
export function readRollups(
  sql: Query,
  { from, to }: { readonly from: Day; readonly to: Day },
  choice: RollupChoice,
): Promise<GroupedRow[]> {
  const part = (key: string, name: Dimension): string =>
    `split_part(t."${key}", '|', ${dimensions.indexOf(name) + 1})`;
  const chosen = (key: string): string =>
    dimensions
      .map((name, index) => `($${index + 6}::text[] IS NULL OR ${part(key, name)} = ANY($${index + 6}))`)
      .join(' AND ');
  const { groupBy } = choice;
  const group = groupBy === null ? `''` : part('groupKey', groupBy);
  const other = groupBy === null ? `''` : part('otherKey', groupBy);
  return sql<GroupedRow>(
    `SELECT CASE WHEN t.day < $2 THEN '' ELSE t.day END AS day, t.currency, t.kind, t.reason, ${group} AS "group",
       ${sumNames.map((name) => `sum(t."${name}")::bigint AS "${name}"`).join(', ')}
     FROM "MrrRollup" t
     WHERE t."environmentId" = $1 AND t.scope = $4 AND t.day <= $3 AND (t.day >= $2 OR t.kind = 'level')
       AND ($5::text[] IS NULL OR t.currency = ANY($5)) AND ${chosen('groupKey')}
       AND NOT (t."otherKey" <> '' AND ${group} = ${other} AND ${chosen('otherKey')})
     GROUP BY 1, 2, 3, 4, 5`,
    [from, to, scopeOf(choice), choice.currencies, ...dimensions.map((name) => choice.values[name])],
  );
}

/** Names of plans by id. */
export async function readPlanNames(
  sql: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; name: string }>(
    'SELECT id, name FROM "Plan" WHERE "environmentId" = $1 AND id = ANY($2)',
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Stores what each customer paid at the end of a month, and from it the retention and cohort rows of the month. Three statements. */
export async function closeMonth(sql: Query, month: string): Promise<void> {
  await sql(
    `INSERT INTO "MrrMonth" ("environmentId", month, "customerId", currency, mrr)
     SELECT $1, $2, t."customerId", s.value->>'currency', sum((s.value->>'base')::bigint + (s.value->>'discount')::bigint
       + (s.value->>'seats')::bigint + (s.value->>'quota')::bigint + (s.value->>'addons')::bigint) AS mrr
     FROM "MrrCustomer" t CROSS JOIN LATERAL jsonb_each(t.current) AS s WHERE t."environmentId" = $1
     GROUP BY t."customerId", s.value->>'currency'
     HAVING sum((s.value->>'base')::bigint + (s.value->>'discount')::bigint
       + (s.value->>'seats')::bigint + (s.value->>'quota')::bigint + (s.value->>'addons')::bigint) > 0
     ON CONFLICT DO NOTHING`,
    [month],
  );
  await sql(
    `INSERT INTO "MrrRetention" ("environmentId", month, months, currency, customers, "left", opening, closing, retained)
     SELECT $1, $2, n.months, a.currency, count(*), count(b.mrr), sum(a.mrr), coalesce(sum(b.mrr), 0), sum(least(a.mrr, coalesce(b.mrr, 0)))
     FROM unnest($3::int[]) AS n(months)
     JOIN "MrrMonth" a ON a."environmentId" = $1
       AND a.month = to_char(to_date($2, 'YYYY-MM') - make_interval(months => n.months), 'YYYY-MM')
     LEFT JOIN "MrrMonth" b ON b."environmentId" = $1 AND b.month = $2 AND b."customerId" = a."customerId" AND b.currency = a.currency
     GROUP BY n.months, a.currency ON CONFLICT DO NOTHING`,
    [month, retentionMonths],
  );
  await sql(
    `INSERT INTO "MrrCohort" ("environmentId", cohort, month, currency, customers, mrr)
     SELECT $1, left(c."firstPaidDay", 7), $2, m.currency, count(*), sum(m.mrr)
     FROM "MrrMonth" m JOIN "MrrCustomer" c ON c."environmentId" = $1 AND c."customerId" = m."customerId"
     WHERE m."environmentId" = $1 AND m.month = $2 AND c."firstPaidDay" IS NOT NULL
     GROUP BY 2, 4 ON CONFLICT DO NOTHING`,
    [month],
  );
}

/** What revenue follows from: a subscription in force, what its customer has of countable features, and its active add-ons. */
export type HeldRevenue = RecurringSubscription & {
  readonly id: string;
  readonly counts: readonly { readonly featureId: string; readonly count: string }[];
  readonly addons: readonly string[];
};

/** All subscriptions in force that have been activated. One statement; memory grows with them. */
export const readHeldRevenue = (sql: Query): Promise<HeldRevenue[]> =>
  sql<HeldRevenue>(
    `SELECT s.id, s.status, s."activatedAt", s.recurring, s."planId", s."billingInterval", s.provider, s.currency,
       coalesce((SELECT json_agg(json_build_object('featureId', f."featureId", 'count', f.count::text)) FROM "FeatureCount" f
         WHERE f."environmentId" = $1 AND f."customerId" = s."customerId"), '[]') AS counts,
       ARRAY(SELECT a.id FROM "AddonActivation" a
         WHERE a."environmentId" = $1 AND a."subscriptionId" = s.id AND a.status = 'active') AS addons
     FROM "Subscription" s
     WHERE s."environmentId" = $1 AND s.status IN ('active', 'past_due') AND s."activatedAt" IS NOT NULL`,
  );

/** The revenue of each subscription after its last entry; those without any are left out. One statement. */
export async function readLastStates(sql: Query): Promise<ReadonlyMap<string, MrrState>> {
  const rows = await sql<{ subscriptionId: string; after: MrrState | null }>(
    `SELECT DISTINCT ON (e."subscriptionId") e."subscriptionId", e.after FROM "MrrEntry" e
     WHERE e."environmentId" = $1 ORDER BY e."subscriptionId", e.seq DESC`,
  );
  return new Map(
    rows.flatMap(({ subscriptionId, after }) => (after === null ? [] : [[subscriptionId, after] as const])),
  );
}

/** What was left of the customers of one month at the end of another, in one currency. Rate units. */
export type RetentionRow = {
  readonly currency: string;
  readonly customers: bigint;
  readonly left: bigint;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly retained: bigint;
};

/** Retention at the end of a month against so many months before, by currency. */
export const readRetention = (sql: Query, month: string, months: number): Promise<RetentionRow[]> =>
  sql<RetentionRow>(
    `SELECT currency, customers, "left", opening, closing, retained FROM "MrrRetention"
     WHERE "environmentId" = $1 AND month = $2 AND months = $3 ORDER BY currency`,
    [month, months],
  );

/** One cell of the cohorts: the customers of a first month who paid at the end of another, in one currency. Rate units. */
export type CohortRow = {
  readonly cohort: string;
  readonly month: string;
  readonly currency: string;
  readonly customers: bigint;
  readonly mrr: bigint;
};

/** The cells of the cohorts of some months, up to a month. */
export const readCohorts = (sql: Query, from: string, to: string): Promise<CohortRow[]> =>
  sql<CohortRow>(
    `SELECT cohort, month, currency, customers, mrr FROM "MrrCohort"
     WHERE "environmentId" = $1 AND cohort BETWEEN $2 AND $3 ORDER BY currency, cohort, month`,
    [from, to],
  );
