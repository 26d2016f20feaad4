import type { Day, SpanOfSums } from '../../domain/metrics/range.ts';
import { isClockRunning } from '../../engine/running-clock.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { EnvironmentKey } from '../../platform/queue/lease.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../platform/queue/lease-table.ts';
import {
  bucketOf,
  dayOf,
  folding,
  monthMismatches,
  quoted,
  type SumMismatch,
  spanParameters,
  summed,
} from '../day-sums/store.ts';

/** The most events since the cursor that a read adds to the sums. */
export const mostFreshEvents = 50_000;

/** The leases of environments by the workers that sum up their usage. */
export const usageDayLeases = leaseTable<EnvironmentKey>('UsageDayCursor', ['environmentId']);

/** Up to `limit` environments nobody sums up and no clock run works in, in which something was numbered since and it is time to look. Locks nothing. */
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

/** How far the sums are. */
export type UsageCursor = {
  readonly until: Date;
  /** When the first event beyond it was recorded; null without one. */
  readonly nextEventAt: Date | null;
  /** Where the counter of the environment stands. */
  readonly counter: bigint;
};

/** How far the sums are, locked until the transaction ends; null when the environment is not leased to `owner`. Any worker's where `owner` is null. */
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

/** The tables of sums, and the rows that usage events of `fresh` add to each. */
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

/** Usage events recorded from an instant on and before another one, as `fresh`. */
const between = (from: string, to: string): string =>
  `fresh AS MATERIALIZED (SELECT e.* FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e."createdAt" >= ${from} AND e."createdAt" < ${to})`;

/** The events a read adds to the sums. */
const waiting = `fresh AS MATERIALIZED (SELECT e.* FROM "UsageEvent" e WHERE e."environmentId" = $1
  AND e."createdAt" >= (SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1) ORDER BY e."createdAt", e.seq LIMIT ${mostFreshEvents})`;

/** Adds the events recorded from `from` on and before `to` to the sums, and moves the locked cursor to `to`. Two statements. */
export async function foldUsage(sql: Query, from: Date, to: Date): Promise<void> {
  const { UsageDay, UsageCustomerDay } = sums;
  await sql(
    `WITH ${between('$2', '$3')}, customers AS (${folding(UsageCustomerDay, UsageCustomerDay.rows)}) ${folding(UsageDay, UsageDay.rows)}`,
    [from, to],
  );
  await sql('UPDATE "UsageDayCursor" SET until = $2 WHERE "environmentId" = $1', [to]);
}

/** Notes when to look again, and that everything up to a place of the counter is added where nothing is left. The cursor is locked. */
export async function restUsageCursor(sql: Query, nextAt: Date, counter: bigint | null): Promise<void> {
  await sql(
    'UPDATE "UsageDayCursor" SET "nextAt" = $2, seq = coalesce($3::bigint, seq) WHERE "environmentId" = $1',
    [nextAt, counter],
  );
}

/** What usage is grouped by: the sums it is read from, the column of its groups, and their keys and names. */
const groupings = {
  feature: { sum: sums.UsageDay, column: 'groupKey', key: 'n.code', name: 'n.name', names: 'Feature' },
  model: { sum: sums.UsageDay, column: 'groupKey', key: 'l.id', name: 'l.id', names: null },
  plan: { sum: sums.UsageDay, column: 'groupKey', key: 'l.id', name: 'n.name', names: 'Plan' },
  customer: {
    sum: sums.UsageCustomerDay,
    column: 'customerId',
    key: 'l.id',
    name: 'n."fullName"',
    names: 'Customer',
  },
} as const;

/** The feature with a code, by its id. */
const featureOf = (code: string): string =>
  `(SELECT f.id FROM "Feature" f WHERE f."environmentId" = $1 AND f.code = ${code})`;

/** Which sums are read: those of all features, or of the one whose code is $7. */
function chosenSums(groupBy: UsageColumn): string {
  const isOfFeature = (column: string): string => `($7::text IS NULL OR "${column}" = ${featureOf('$7')})`;
  if (groupBy === 'customer') return isOfFeature('featureId');
  if (groupBy === 'feature') return `scope = 'feature' AND "featureId" = '' AND ${isOfFeature('groupKey')}`;
  // Of a code that no feature has, there are none.
  return `scope = '${groupBy}' AND "featureId" = CASE WHEN $7::text IS NULL THEN '' ELSE ${featureOf('$7')} END`;
}

/** What usage can be grouped by. */
export type UsageColumn = keyof typeof groupings;

/** Usage of one bucket and group; key and name are null for the smaller groups together. */
export type UsageSum = {
  readonly span: number;
  readonly key: string | null;
  readonly name: string | null;
  readonly events: bigint;
  readonly units: bigint;
  readonly lateUnits: bigint;
  readonly credits: bigint;
};

/** How usage is read: by what it is grouped, the `most` groups that are told apart, and the code of the only feature that counts, if it is one. */
export type UsageChoice = {
  readonly groupBy: UsageColumn;
  readonly most: number;
  readonly featureCode: string | null;
};

/** Usage by bucket and group, the groups with the most units on their own and the others as one. One statement. */
export function readUsageSums(
  sql: Query,
  starts: readonly Day[],
  spans: readonly SpanOfSums[],
  { groupBy, most, featureCode }: UsageChoice,
): Promise<UsageSum[]> {
  const { sum, column, key, name, names } = groupings[groupBy];
  const added = amounts.map((amount) => `SUM("${amount}")::bigint AS "${amount}"`).join(', ');
  const named = names === null ? '' : `LEFT JOIN "${names}" n ON n."environmentId" = $1 AND n.id = l.id`;
  return sql<UsageSum>(
    `WITH ${waiting},
       groups AS MATERIALIZED (SELECT ${bucketOf} AS span, "${column}" AS id, ${added} FROM ${summed(sum, sum.rows, chosenSums(groupBy))} GROUP BY 1, 2),
       largest AS (SELECT g.id FROM groups g GROUP BY g.id ORDER BY SUM(g.units) DESC, g.id LIMIT $6)
     SELECT g.span, ${key} AS key, ${name} AS name, ${added}
     FROM groups g LEFT JOIN largest l ON l.id = g.id ${named} GROUP BY 1, 2, 3`,
    [...spanParameters(spans, starts), most, featureCode],
  );
}

/** Removes all sums of the environment and begins again with its first event. The cursor is locked. */
export async function forgetUsage(sql: Query): Promise<void> {
  for (const { table } of Object.values(sums)) await sql(`DELETE FROM "${table}" WHERE "environmentId" = $1`);
  await sql(
    `UPDATE "UsageDayCursor" SET until = 'epoch', seq = 0, "nextAt" = 'epoch' WHERE "environmentId" = $1`,
  );
}

/** Where sums of months are not those of their days. One statement, which costs time in proportion to all sums. */
export const readUsageMonthMismatches = (sql: Query): Promise<SumMismatch[]> =>
  sql<SumMismatch>(Object.values(sums).map(monthMismatches).join(' UNION ALL '));

/**
 * Where the units of days up to the cursor are not those of their events, by feature, and by model and plan in each; plans together, since a subscription may
 * have changed its own. One statement, which costs time in proportion to all events.
 */
export const readUsageMismatches = (sql: Query): Promise<SumMismatch[]> => {
  const compared = (rows: string): string =>
    `SELECT day, scope, "featureId", CASE scope WHEN 'plan' THEN '' ELSE "groupKey" END AS key, SUM(units) AS units FROM ${rows} GROUP BY 1, 2, 3, 4`;
  return sql<SumMismatch>(
    `WITH ${between(`'epoch'`, '(SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1)')},
       expected AS (${compared(`(${sums.UsageDay.rows}) AS r`)}),
       actual AS (${compared(`(SELECT * FROM "UsageDay" WHERE "environmentId" = $1 AND span = 'day') AS r`)})
     SELECT concat_ws(' ', 'UsageDay', to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD'), scope, nullif("featureId", ''), nullif(key, '')) AS subject,
       coalesce(e.units, 0)::bigint AS expected, coalesce(a.units, 0)::bigint AS actual
     FROM expected e FULL JOIN actual a USING (day, scope, "featureId", key) WHERE coalesce(e.units, 0) <> coalesce(a.units, 0)`,
  );
};

/** Whether a read has all events: no more were recorded since the cursor than it adds. */
export async function readIsUsageComplete(sql: Query): Promise<boolean> {
  const [row] = await sql<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (SELECT FROM "UsageEvent" e WHERE e."environmentId" = $1
       AND e."createdAt" >= (SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1) ORDER BY e."createdAt", e.seq LIMIT ${mostFreshEvents + 1}) AS beyond`,
  );
  return (row?.waiting ?? 0) <= mostFreshEvents;
}
