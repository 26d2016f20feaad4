import type { Query } from '../../../platform/db/pool.ts';
import {
  bucketOf,
  dayOf,
  dayText,
  follows,
  freshFor,
  quoted,
  type RowSource,
  reachedBy,
  readSums,
  type Spans,
  type Sum,
  spanParameters,
  storedDays,
  summed,
} from '../day-sums/store.ts';
import { marginSums, pricedEvents } from '../margin-days/store.ts';

const amounts = ['events', 'units', 'lateUnits', 'credits'] as const;

const counted = `count(*) AS events, coalesce(SUM(e.value), 0)::bigint AS units, coalesce(SUM(e.value) FILTER (WHERE e.ts < e."windowStart"), 0)::bigint AS "lateUnits",
  coalesce(SUM(e.deducted) FILTER (WHERE e."consumptionModel" = 'credits'), 0)::bigint AS credits`;

const day = dayOf('e.ts');

/** Sums of usage events. */
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
} as const satisfies Record<string, Sum>;

/**
 * SQL for the units by day and group, as rows to compare. All plans are compared as one group, because a subscription's plan can change.
 */
const compared = (rows: string): string =>
  `SELECT concat_ws(' ', 'UsageDay', ${dayText('day')}, scope, nullif("featureId", ''), CASE scope WHEN 'plan' THEN NULL ELSE nullif("groupKey", '') END) AS subject,
     units AS amount FROM ${rows}`;

const position = { name: 'usage', reached: 'until' } as const;

/** Usage events. The units are checked by feature, and by model and plan within each feature. */
export const usageSource: RowSource = {
  ...position,
  sums: [...Object.values(sums), ...marginSums(pricedEvents('fresh'))],
  derived: [],
  table: 'UsageEvent',
  columns: 'e.*',
  at: 'createdAt',
  after: '>=',
  order: 'e."createdAt", e.seq',
  mostFresh: 50_000,
  counter: 'seq',
  hasRows: follows('UsageEvent', 'e."createdAt" >= k.until', 'e."createdAt", e.seq'),
  isReady: (now) => `k."nextAt" <= ${now}`,
  retention: 'usageEventRetentionDays',
  check: {
    isOfRows: true,
    before: `fresh AS MATERIALIZED (SELECT e.* FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e."createdAt" < ${reachedBy(position)})`,
    expected: compared(`(${sums.UsageDay.rows}) AS r`),
    actual: compared(storedDays(sums.UsageDay)),
  },
};

/** Reads the time at which the first usage event since `since` was recorded. `null` if no event was recorded. */
export async function readNextUsage(sql: Query, since: Date): Promise<Date | null> {
  const [row] = await sql<{ createdAt: Date }>(
    `SELECT e."createdAt" FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e."createdAt" >= $2
     ORDER BY e."createdAt", e.seq LIMIT 1`,
    [since],
  );
  return row?.createdAt ?? null;
}

/** Sets the time at which the worker next reads the environment's usage. The caller must have locked the cursor. */
export async function restUsage(sql: Query, nextAt: Date): Promise<void> {
  await sql(`UPDATE "SumCursor" SET "nextAt" = $2 WHERE "environmentId" = $1 AND source = 'usage'`, [nextAt]);
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
  spans: Spans,
  { groupBy, featureCode }: UsageChoice,
): Promise<UsageSum[]> {
  const choice = { where: chosenSums(groupBy), params: [featureCode] };
  const found = await readSums(sql, usageSource, sums.UsageDay, spans, choice);
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
  spans: Spans,
  featureCode: string | null,
  most: number,
): Promise<UsageSum[]> {
  const added = amounts.map((amount) => `SUM("${amount}")::bigint AS "${amount}"`).join(', ');
  return sql<UsageSum>(
    `WITH ${freshFor(usageSource, sums.UsageCustomerDay)},
       groups AS MATERIALIZED (SELECT ${bucketOf} AS span, "customerId" AS id, ${added} FROM ${summed(sums.UsageCustomerDay, isOfFeature('featureId', '$7'))} GROUP BY 1, 2),
       largest AS (SELECT g.id FROM groups g GROUP BY g.id ORDER BY SUM(g.units) DESC, g.id LIMIT $6)
     SELECT g.span, l.id, ${added} FROM groups g LEFT JOIN largest l ON l.id = g.id GROUP BY 1, 2`,
    [...spanParameters(spans), most, featureCode],
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
