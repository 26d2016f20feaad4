import { type Day, midnightOf } from '../../domain/metrics/range.ts';
import { isClockRunning } from '../../engine/running-clock.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { EnvironmentKey } from '../../platform/queue/lease.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../platform/queue/lease-table.ts';

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

/** How far the sums are, locked until the transaction ends; null when the environment is not leased to `owner`. */
export async function lockUsageCursor(sql: Query, owner: string): Promise<UsageCursor | null> {
  const [row] = await sql<UsageCursor>(
    `SELECT k.until, c.seq AS counter, (SELECT e."createdAt" FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e."createdAt" >= k.until
       ORDER BY e."createdAt", e.seq LIMIT 1) AS "nextEventAt"
     FROM "UsageDayCursor" k JOIN "EnvironmentCounter" c ON c."environmentId" = k."environmentId"
     WHERE k."environmentId" = $1 AND k."leaseOwner" = $2 FOR UPDATE OF k`,
    [owner],
  );
  return row ?? null;
}

const day = `date_trunc('day', e.ts, 'UTC')`;

const sums = `count(*) AS events, coalesce(SUM(e.value), 0)::bigint AS units, coalesce(SUM(e.value) FILTER (WHERE e.ts < e."windowStart"), 0)::bigint AS "lateUnits",
  coalesce(SUM(e.deducted) FILTER (WHERE e."consumptionModel" = 'credits'), 0)::bigint AS credits`;

const amounts = ['events', 'units', 'lateUnits', 'credits'] as const;

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** What each table of sums distinguishes beside the day, and where its columns come from. */
const tables = {
  UsageDay: {
    keys: ['featureId', 'model', 'planId'],
    columns: 'e."featureId", e.model, s."planId"',
    joins: 'JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = e."subscriptionId"',
  },
  UsageCustomerDay: {
    keys: ['featureId', 'customerId'],
    columns: 'e."featureId", e."customerId"',
    joins: '',
  },
} as const;

type UsageTable = keyof typeof tables;

/** Adds events to one table of sums. */
function adding(table: UsageTable): string {
  const { keys, columns, joins } = tables[table];
  return `INSERT INTO "${table}" ("environmentId", id, day, ${quoted(keys)}, ${quoted(amounts)})
    SELECT $1, concat_ws(' ', to_char(${day} AT TIME ZONE 'UTC', 'YYYY-MM-DD'), ${columns}), ${day}, ${columns}, ${sums}
    FROM "UsageEvent" e ${joins} WHERE e."environmentId" = $1 AND e."createdAt" >= $2 AND e."createdAt" < $3 GROUP BY ${day}, ${columns}
    ON CONFLICT ("environmentId", id) DO UPDATE SET ${amounts.map((name) => `"${name}" = "${table}"."${name}" + EXCLUDED."${name}"`).join(', ')}`;
}

/** Adds the events recorded from `from` on and before `to` to the sums, and moves the locked cursor to `to`. Two statements. */
export async function foldUsage(sql: Query, from: Date, to: Date): Promise<void> {
  await sql(`WITH customers AS (${adding('UsageCustomerDay')}) ${adding('UsageDay')}`, [from, to]);
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
  feature: { table: 'UsageDay', column: 'featureId', key: 'n.code', name: 'n.name', names: 'Feature' },
  model: { table: 'UsageDay', column: 'model', key: 'l.id', name: 'l.id', names: null },
  plan: { table: 'UsageDay', column: 'planId', key: 'l.id', name: 'n.name', names: 'Plan' },
  customer: {
    table: 'UsageCustomerDay',
    column: 'customerId',
    key: 'l.id',
    name: 'n."fullName"',
    names: 'Customer',
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly [part in 'column' | 'key' | 'name']: string } & {
      readonly table: UsageTable;
      readonly names: string | null;
    }
  >
>;

/** What usage can be grouped by. */
export type UsageColumn = keyof typeof groupings;

/** Usage of one span and group; key and name are null for the smaller groups together. */
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

/** Usage by span and group, the groups with the most units on their own and the others as one. One statement. */
export function readUsageSums(
  sql: Query,
  starts: readonly Day[],
  to: Day,
  { groupBy, most, featureCode }: UsageChoice,
): Promise<UsageSum[]> {
  const { table, column, key, name, names } = groupings[groupBy];
  const { keys, columns, joins } = tables[table];
  const added = (of: string): string =>
    amounts.map((amount) => `SUM(${of}."${amount}")::bigint AS "${amount}"`).join(', ');
  return sql<UsageSum>(
    `WITH fresh AS MATERIALIZED (SELECT e.* FROM "UsageEvent" e WHERE e."environmentId" = $1
         AND e."createdAt" >= (SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1) ORDER BY e."createdAt", e.seq LIMIT ${mostFreshEvents}),
       days AS (
         SELECT day, ${quoted(keys)}, ${quoted(amounts)} FROM "${table}" WHERE "environmentId" = $1 AND day >= ($2::timestamptz[])[1] AND day <= $3::timestamptz
         UNION ALL SELECT ${day}, ${columns}, ${sums} FROM fresh e ${joins} WHERE e.ts >= ($2::timestamptz[])[1] AND e.ts < $3::timestamptz + interval '1 day' GROUP BY ${day}, ${columns}),
       groups AS MATERIALIZED (SELECT width_bucket(d.day, $2::timestamptz[]) - 1 AS span, coalesce(d."${column}", '') AS id, ${added('d')} FROM days d
         WHERE $4::text IS NULL OR d."featureId" IN (SELECT f.id FROM "Feature" f WHERE f."environmentId" = $1 AND f.code = $4) GROUP BY 1, 2),
       largest AS (SELECT g.id FROM groups g GROUP BY g.id ORDER BY SUM(g.units) DESC, g.id LIMIT $5)
     SELECT g.span, ${key} AS key, ${name} AS name, ${added('g')}
     FROM groups g LEFT JOIN largest l ON l.id = g.id ${names === null ? '' : `LEFT JOIN "${names}" n ON n."environmentId" = $1 AND n.id = l.id`}
     GROUP BY 1, 2, 3`,
    [starts.map(midnightOf), midnightOf(to), featureCode, most],
  );
}

/** Whether a read has all events: no more were recorded since the cursor than it adds. */
export async function readIsUsageComplete(sql: Query): Promise<boolean> {
  const [row] = await sql<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (SELECT FROM "UsageEvent" e WHERE e."environmentId" = $1
       AND e."createdAt" >= (SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1) ORDER BY e."createdAt", e.seq LIMIT ${mostFreshEvents + 1}) AS beyond`,
  );
  return (row?.waiting ?? 0) <= mostFreshEvents;
}
