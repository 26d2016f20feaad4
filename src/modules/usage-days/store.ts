import { type Day, midnightOf } from '../../domain/metrics/range.ts';
import { isClockRunning } from '../../engine/running-clock.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { EnvironmentKey } from '../../platform/queue/lease.ts';
import { isFree, leaseTable } from '../../platform/queue/lease-table.ts';

/** The most events since the cursor that a read adds to the sums. */
export const mostFreshEvents = 50_000;

/** The leases of environments by the workers that sum up their usage. */
export const usageDayLeases = leaseTable<EnvironmentKey>('UsageDayCursor', ['environmentId']);

/** Up to `limit` environments nobody sums up and no clock run works in, in which something was numbered since and it is time to look. Locks nothing. */
export const findUsageDayWork = (query: Query, now: Date, limit: number): Promise<EnvironmentKey[]> =>
  query<EnvironmentKey>(
    `SELECT k."environmentId" FROM "UsageDayCursor" k JOIN "EnvironmentCounter" c ON c."environmentId" = k."environmentId"
     WHERE ${isFree('k', '$1')} AND k."nextAt" <= $1 AND k.seq < c.seq AND NOT ${isClockRunning('k')} ORDER BY k."nextAt" LIMIT $2`,
    [now, limit],
  );

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

/** Adds the events recorded from `from` on and before `to` to the sums, and moves the locked cursor to `to`. */
export async function foldUsage(sql: Query, from: Date, to: Date): Promise<void> {
  await sql(
    `INSERT INTO "UsageDay" ("environmentId", id, day, "featureId", model, events, units, "lateUnits", credits)
     SELECT $1, concat_ws(' ', to_char(${day} AT TIME ZONE 'UTC', 'YYYY-MM-DD'), e."featureId", e.model), ${day}, e."featureId", e.model, ${sums}
     FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e."createdAt" >= $2 AND e."createdAt" < $3 GROUP BY ${day}, e."featureId", e.model
     ON CONFLICT ("environmentId", id) DO UPDATE SET ${amounts.map((name) => `"${name}" = "UsageDay"."${name}" + EXCLUDED."${name}"`).join(', ')}`,
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

/** What groups of usage are. */
export type UsageColumn = 'feature' | 'model';

/** Usage of one span and group. */
export type UsageSum = {
  readonly span: number;
  readonly key: string | null;
  readonly name: string | null;
  readonly events: bigint;
  readonly units: bigint;
  readonly lateUnits: bigint;
  readonly credits: bigint;
};

/** Usage by span and group, of one feature where its code is given. One statement. */
export const readUsageSums = (
  sql: Query,
  starts: readonly Day[],
  to: Day,
  column: UsageColumn,
  featureCode: string | null,
): Promise<UsageSum[]> =>
  sql<UsageSum>(
    `WITH fresh AS MATERIALIZED (SELECT e.* FROM "UsageEvent" e WHERE e."environmentId" = $1
         AND e."createdAt" >= (SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1) ORDER BY e."createdAt", e.seq LIMIT ${mostFreshEvents}),
       days AS (
         SELECT day, "featureId", model, events, units, "lateUnits", credits FROM "UsageDay" WHERE "environmentId" = $1 AND day >= ($2::timestamptz[])[1] AND day <= $3::timestamptz
         UNION ALL SELECT ${day}, e."featureId", e.model, ${sums} FROM fresh e WHERE e.ts >= ($2::timestamptz[])[1] AND e.ts < $3::timestamptz + interval '1 day' GROUP BY 1, 2, 3)
     SELECT width_bucket(d.day, $2::timestamptz[]) - 1 AS span, ${column === 'feature' ? 'f.code AS key, f.name' : 'd.model AS key, d.model AS name'},
       ${amounts.map((name) => `SUM(d."${name}")::bigint AS "${name}"`).join(', ')}
     FROM days d JOIN "Feature" f ON f."environmentId" = $1 AND f.id = d."featureId" WHERE $4::text IS NULL OR f.code = $4 GROUP BY 1, 2, 3`,
    [starts.map(midnightOf), midnightOf(to), featureCode],
  );

/** Whether a read has all events: no more were recorded since the cursor than it adds. */
export async function readIsUsageComplete(sql: Query): Promise<boolean> {
  const [row] = await sql<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (SELECT FROM "UsageEvent" e WHERE e."environmentId" = $1
       AND e."createdAt" >= (SELECT k.until FROM "UsageDayCursor" k WHERE k."environmentId" = $1) ORDER BY e."createdAt", e.seq LIMIT ${mostFreshEvents + 1}) AS beyond`,
  );
  return (row?.waiting ?? 0) <= mostFreshEvents;
}
