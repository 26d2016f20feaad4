import type { Day, SpanOfSums } from '../../../domain/metrics/range.ts';
import { isClockRunning } from '../../../engine/running-clock.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { EnvironmentKey } from '../../../platform/queue/lease.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../../platform/queue/lease-table.ts';
import {
  bucketOf,
  dayOf,
  folding,
  monthMismatches,
  quoted,
  readSums,
  type SumMismatch,
  spanParameters,
  storedDays,
  summed,
} from '../day-sums/store.ts';

/** Maximum number of usage events after the worker's cursor that a read includes. */
const mostFreshEvents = 50_000;

/** Leases of environments for the workers that aggregate usage. */
export const usageDayLeases = leaseTable<EnvironmentKey>('UsageDayCursor', ['environmentId']);

/**
 * Returns up to `limit` environments whose next check is due and that have new rows since the last check. Excludes environments with a
 * lease or an unfinished clock run. Doesn't lock rows.
 */
export function findUsageDayWork(
  query: Query,
  now: Date,
  limit: number,
  environmentId: string | null,
): Promise<EnvironmentKey[]> {
  const own = environmentOf('k', environmentId, '$3');
  return query<EnvironmentKey>(
    `SELECT k."environmentId" FROM "UsageDayCursor" k JOIN "EnvironmentCounter" c ON c."environmentId" = ${own}
     WHERE ${isFree('k', '$1')} AND k."nextAt" <= $1 AND k.seq < c.seq AND NOT ${isClockRunning(own)} ${isWithin('k', environmentId, '$3')}
     ORDER BY k."nextAt" LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );
}

/** Progress of aggregating an environment's usage events. */
export type UsageCursor = {
  readonly until: Date;
  /** Time at which the first event after the cursor was recorded. `null` if no event follows. */
  readonly nextEventAt: Date | null;
  /** Latest sequence number in the environment. */
  readonly counter: bigint;
};

/**
 * Locks the cursor until the transaction ends and returns it. `null` if the environment isn't leased to `owner`. If `owner` is `null`, the
 * lease isn't checked.
 */
export async function lockUsageCursor(sql: Query, owner: string | null): Promise<UsageCursor | null> {
  const [row] = await sql<UsageCursor>(
    `SELECT k.until, c.seq AS counter, (SELECT e."createdAt" FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e."createdAt" >= k.until
       ORDER BY e."createdAt", e.seq LIMIT 1) AS "nextEventAt"
     FROM "UsageDayCursor" k JOIN "EnvironmentCounter" c ON c."environmentId" = k."environmentId"
     WHERE k."environmentId" = $1 AND ($2::text IS NULL OR k."leaseOwner" = $2) FOR UPDATE OF k`,
    [owner],
  );
  return row ?? null;
}

const amounts = ['events', 'units', 'lateUnits', 'credits'] as const;

const counted = `count(*) AS events, coalesce(SUM(e.value), 0)::bigint AS units, coalesce(SUM(e.value) FILTER (WHERE e.ts < e."windowStart"), 0)::bigint AS "lateUnits",
  coalesce(SUM(e.deducted) FILTER (WHERE e."consumptionModel" = 'credits'), 0)::bigint AS credits`;

const day = dayOf('e.ts');

/** Tables of sums, and the rows that the usage events in `fresh` add to each table. */
const sums = {
  UsageDay: {
    table: 'UsageDay',
    keys: ['scope', 'featureId', 'groupKey'],
    amounts,
    rows: `SELECT u.day, g.scope, g."featureId", g."groupKey", ${quoted(amounts, 'u.')} FROM (
        SELECT ${day} AS day, e."featureId", coalesce(e.model, '') AS model, coalesce(s."planId", '') AS "planId", ${counted} FROM fresh e
        JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = e."subscriptionId" GROUP BY ${day}, e."featureId", e.model, s."planId") AS u
      CROSS JOIN LATERAL (VALUES ('feature', '', u."featureId"), ('model', '', u.model), ('plan', '', u."planId"),
        ('model', u."featureId", u.model), ('plan', u."featureId", u."planId")) AS g(scope, "featureId", "groupKey")`,
  },
  UsageCustomerDay: {
    table: 'UsageCustomerDay',
    keys: ['featureId', 'customerId'],
    amounts,
    rows: `SELECT ${day} AS day, e."featureId", e."customerId", ${counted} FROM fresh e GROUP BY ${day}, e."featureId", e."customerId"`,
  },
} as const;

/** CTE `fresh`: the usage events that were recorded between two times, with the start inclusive and the end exclusive. */
const between = (from: string, to: string): string =>
  `fresh AS MATERIALIZED (SELECT e.* FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e."createdAt" >= ${from} AND e."createdAt" < ${to})`;

/** CTE `fresh`: the events that a read adds to the stored sums. */
const waiting = `fresh AS MATERIALIZED (SELECT e.* FROM "UsageEvent" e WHERE e."environmentId" = $1
  AND e."createdAt" >= (SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1) ORDER BY e."createdAt", e.seq LIMIT ${mostFreshEvents})`;

/**
 * Adds the events recorded between `from` (inclusive) and `to` (exclusive) to the sums, and moves the locked cursor to
 * `to`. Runs one SQL statement.
 */
export async function foldUsage(sql: Query, from: Date, to: Date): Promise<void> {
  const written = Object.values(sums).map((of) => `"of${of.table}" AS (${folding(of, of.rows)})`);
  // Both writes are CTEs of a SELECT, because distributed databases reject EXCLUDED in the final statement after a list of CTEs.
  await sql(
    `WITH ${between('$2', '$3')}, ${written.join(', ')},
       moved AS (UPDATE "UsageDayCursor" SET until = $3 WHERE "environmentId" = $1)
     SELECT count(*) FROM fresh`,
    [from, to],
  );
}

/**
 * Sets the time at which the worker next reads the environment's usage. If `counter` isn't `null`, also records that
 * all rows up to this counter value have been aggregated. The caller must have locked the cursor.
 */
export async function restUsageCursor(sql: Query, nextAt: Date, counter: bigint | null): Promise<void> {
  await sql(
    'UPDATE "UsageDayCursor" SET "nextAt" = $2, seq = coalesce($3::bigint, seq) WHERE "environmentId" = $1',
    [nextAt, counter],
  );
}

/** SQL for the ID of the feature with the given code. */
const featureOf = (code: string): string =>
  `(SELECT f.id FROM "Feature" f WHERE f."environmentId" = $1 AND f.code = ${code})`;

const isOfFeature = (column: string, code: string): string =>
  `(${code}::text IS NULL OR "${column}" = ${featureOf(code)})`;

export type UsageColumn = 'feature' | 'model' | 'plan' | 'customer';

/** SQL condition for the sums to read: the sums for all features, or for the feature whose code is $5. Matches nothing if no feature has the code. */
const chosenSums = (groupBy: UsageColumn): string =>
  groupBy === 'feature'
    ? `scope = 'feature' AND "featureId" = '' AND ${isOfFeature('groupKey', '$5')}`
    : `scope = '${groupBy}' AND "featureId" = CASE WHEN $5::text IS NULL THEN '' ELSE ${featureOf('$5')} END`;

/** Usage in one bucket and group. The ID is `null` if the group combines all smaller groups. */
export type UsageSum = {
  readonly span: number;
  readonly id: string | null;
  readonly events: bigint;
  readonly units: bigint;
  readonly lateUnits: bigint;
  readonly credits: bigint;
};

/** Grouping of usage, and the code of the feature to include. A `null` code includes all features. */
export type UsageChoice = { readonly groupBy: UsageColumn; readonly featureCode: string | null };

/** Reads usage by bucket and by feature, AI model, or plan. Runs one SQL statement. */
export async function readUsageSums(
  sql: Query,
  starts: readonly Day[],
  spans: readonly SpanOfSums[],
  { groupBy, featureCode }: UsageChoice,
): Promise<UsageSum[]> {
  const found = await readSums(
    sql,
    {
      sums: sums.UsageDay,
      rows: sums.UsageDay.rows,
      before: waiting,
      where: chosenSums(groupBy),
      params: [featureCode],
    },
    spans,
    starts,
  );
  return found.map(
    ({ span, keys: [, , id = ''], amounts: [events = 0n, units = 0n, lateUnits = 0n, credits = 0n] }) => ({
      span,
      id,
      events,
      units,
      lateUnits,
      credits,
    }),
  );
}

/**
 * Reads usage by bucket and customer. The `most` customers with the most units are separate; all other customers are
 * combined. Runs one SQL statement that aggregates in the database, because the number of customers isn't limited.
 */
export function readCustomerUsage(
  sql: Query,
  starts: readonly Day[],
  spans: readonly SpanOfSums[],
  featureCode: string | null,
  most: number,
): Promise<UsageSum[]> {
  const added = amounts.map((amount) => `SUM("${amount}")::bigint AS "${amount}"`).join(', ');
  const { UsageCustomerDay } = sums;
  return sql<UsageSum>(
    `WITH ${waiting},
       groups AS MATERIALIZED (SELECT ${bucketOf} AS span, "customerId" AS id, ${added} FROM ${summed(UsageCustomerDay, UsageCustomerDay.rows, isOfFeature('featureId', '$7'))} GROUP BY 1, 2),
       largest AS (SELECT g.id FROM groups g GROUP BY g.id ORDER BY SUM(g.units) DESC, g.id LIMIT $6)
     SELECT g.span, l.id, ${added} FROM groups g LEFT JOIN largest l ON l.id = g.id GROUP BY 1, 2`,
    [...spanParameters(spans, starts), most, featureCode],
  );
}

/** Tables of the objects that usage is grouped by, with the columns that contain the key and the name. */
const groupNames = {
  feature: ['Feature', 'code', 'name'],
  plan: ['Plan', 'id', 'name'],
  customer: ['Customer', 'id', '"fullName"'],
} as const;

export type UsageGroup = { readonly id: string; readonly key: string; readonly name: string | null };

/**
 * Returns the keys and names of the groups with the given IDs. Omits groups that no longer exist. Runs one SQL
 * statement.
 */
export function readUsageGroups(
  sql: Query,
  groupBy: keyof typeof groupNames,
  ids: readonly string[],
): Promise<UsageGroup[]> {
  const [table, key, name] = groupNames[groupBy];
  return sql<UsageGroup>(
    `SELECT id, ${key} AS key, ${name} AS name FROM "${table}" WHERE "environmentId" = $1 AND id = ANY($2)`,
    [ids],
  );
}

/**
 * Deletes all usage sums of the environment and resets the cursor to the environment's first usage event. The caller must have locked the
 * cursor.
 */
export async function forgetUsage(sql: Query): Promise<void> {
  for (const { table } of Object.values(sums)) await sql(`DELETE FROM "${table}" WHERE "environmentId" = $1`);
  await sql(
    `UPDATE "UsageDayCursor" SET until = 'epoch', seq = 0, "nextAt" = 'epoch' WHERE "environmentId" = $1`,
  );
}

/**
 * Returns the monthly sums that differ from the total of their daily sums. Runs one SQL statement whose cost grows with
 * the number of sums.
 */
export const readUsageMonthMismatches = (sql: Query): Promise<SumMismatch[]> =>
  sql<SumMismatch>(Object.values(sums).map(monthMismatches).join(' UNION ALL '));

/**
 * Returns the days up to the cursor whose units differ from their events: by feature, and by model and plan within each
 * feature. All plans are compared as one group, because a subscription's plan can change. Runs one SQL statement whose
 * cost grows with the number of events.
 */
export const readUsageMismatches = (sql: Query): Promise<SumMismatch[]> => {
  const compared = (rows: string): string =>
    `SELECT day, scope, "featureId", CASE scope WHEN 'plan' THEN '' ELSE "groupKey" END AS key, SUM(units) AS units FROM ${rows} GROUP BY 1, 2, 3, 4`;
  return sql<SumMismatch>(
    `WITH ${between(`'epoch'`, '(SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1)')},
       expected AS (${compared(`(${sums.UsageDay.rows}) AS r`)}),
       actual AS (${compared(storedDays(sums.UsageDay))})
     SELECT concat_ws(' ', 'UsageDay', to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD'), scope, nullif("featureId", ''), nullif(key, '')) AS subject,
       coalesce(e.units, 0)::bigint AS expected, coalesce(a.units, 0)::bigint AS actual
     FROM expected e FULL JOIN actual a USING (day, scope, "featureId", key) WHERE coalesce(e.units, 0) <> coalesce(a.units, 0)`,
  );
};

/** True if reads include all events: no more events follow the cursor than a read includes. */
export async function readIsUsageComplete(sql: Query): Promise<boolean> {
  const [row] = await sql<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (SELECT FROM "UsageEvent" e WHERE e."environmentId" = $1
       AND e."createdAt" >= (SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1) ORDER BY e."createdAt", e.seq LIMIT ${mostFreshEvents + 1}) AS beyond`,
  );
  return (row?.waiting ?? 0) <= mostFreshEvents;
}
