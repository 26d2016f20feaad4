import type { CustomerState, FoldedEntry } from '../../domain/metrics/fold.ts';
import {
  type Dimension,
  dimensions,
  type MrrRollupKey,
  type MrrSums,
  plus,
  sumNames,
} from '../../domain/metrics/movements.ts';
import { type Day, midnightOf } from '../../domain/metrics/range.ts';
import type { RecurringSubscription } from '../../domain/metrics/recurring.ts';
import type { MrrState } from '../../domain/subscription/state/recurring-rows.ts';
import type { DeadlineRow } from '../../domain/subscription/state/rows.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import { dayAt, numbersOf } from '../day-sums/rules.ts';
import {
  listsOfSpan,
  monthMismatches,
  monthsOfSpans,
  type SumMismatch,
  type SumTable,
  spanArrays,
} from '../day-sums/store.ts';
import { type GroupedRow, type RollupChoice, type RollupSpans, scopeOf } from './rules.ts';

/** How far entries are added up. */
export type Cursor = Pick<Row<'MetricsCursor'>, 'seq' | 'day' | 'closedMonth' | 'closesAt'>;

/** How far entries are added up. Where they never were, nothing is. */
export async function readCursor(sql: Query): Promise<Cursor> {
  const [row] = await sql<Cursor>(
    'SELECT seq, day, "closedMonth", "closesAt" FROM "MetricsCursor" WHERE "environmentId" = $1',
  );
  return row ?? { seq: 0n, day: null, closedMonth: null, closesAt: null };
}

/** Up to `limit` entries after a seq, in order. */
export const readEntries = (sql: Query, after: bigint, limit: number): Promise<FoldedEntry[]> =>
  sql<FoldedEntry>(
    `SELECT ${columnList('MrrEntry', 't')} FROM "MrrEntry" t WHERE t."environmentId" = $1 AND t.seq > $2 ORDER BY t.seq LIMIT $3`,
    [after, limit],
  );

/** An entry with the customer's day it was added to: customer and day, separated by `/`. */
export type DayEntry = Row<'MrrEntry'> & { readonly key: string };

/** The entries that were added to days of customers, in order: up to the last one, `seq`, of each day. One statement. */
export const readDayEntries = (
  sql: Query,
  days: readonly Pick<Row<'MrrCustomerDay'>, 'customerId' | 'day' | 'seq'>[],
): Promise<DayEntry[]> =>
  sql<DayEntry>(
    `SELECT concat_ws('/', r."customerId", r.day) AS key, ${columnList('MrrEntry', 't')}
     FROM unnest($2::text[], $3::text[], $4::bigint[]) AS r("customerId", day, seq)
       JOIN "MrrEntry" t ON t."environmentId" = $1 AND t."customerId" = r."customerId" AND t.seq <= r.seq
         AND coalesce(t."countedOn", to_char(t."occurredAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD')) = r.day
     ORDER BY t.seq`,
    [days.map(({ customerId }) => customerId), days.map(({ day }) => day), days.map(({ seq }) => seq)],
  );

/** What each subscription of some customers recurs at since its last entry; none for those that never had one. One statement. */
export const readLatestStates = (
  sql: Query,
  customerIds: readonly string[],
): Promise<
  { readonly customerId: string; readonly subscriptionId: string; readonly after: MrrState | null }[]
> =>
  sql(
    `SELECT s."customerId", s.id AS "subscriptionId", latest.after FROM "Subscription" s
     CROSS JOIN LATERAL (
       SELECT t.after FROM "MrrEntry" t WHERE t."environmentId" = $1 AND t."subscriptionId" = s.id ORDER BY t.seq DESC LIMIT 1
     ) AS latest
     WHERE s."environmentId" = $1 AND s."customerId" = ANY($2)`,
    [customerIds],
  );

/** The events of their subscriptions that were written with entries, in order. One statement. */
export const readEntryEvents = (
  sql: Query,
  ids: readonly string[],
): Promise<(Row<'Event'> & { readonly entryId: string })[]> =>
  sql(
    `SELECT t.id AS "entryId", ${columnList('Event', 'e')} FROM "MrrEntry" t
     JOIN "Event" e ON e."environmentId" = $1 AND e."subscriptionId" = t."subscriptionId" AND e.position BETWEEN t."firstEvent" AND t."lastEvent"
     WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY e.position`,
    [ids],
  );

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

/** Sums of recurring revenue by month, and of the days in each. */
export const rollupSums: SumTable = {
  table: 'MrrRollup',
  keys: ['scope', 'currency', 'kind', 'reason', 'groupKey', 'otherKey'],
  amounts: sumNames,
};

/** A row of lists: what it is told apart by, the day it begins with, and its lists as texts of arrays. */
type RollupRow = Omit<GroupedRow, keyof MrrSums> & Readonly<Record<'days' | keyof MrrSums, string>>;

/** The sums of each day that a row lists, as far as they are of the range. */
function daysOfRow(
  { day: start, currency, kind, reason, group, ...row }: RollupRow,
  from: Day,
  to: Day,
): GroupedRow[] {
  const lists = sumNames.map((name) => numbersOf(row[name]));
  return numbersOf(row.days).flatMap((number, index): GroupedRow[] => {
    // The levels before have no day.
    const day = start === '' ? '' : dayAt(start, Number(number));
    if (day !== '' && (day < from || day > to)) return [];
    const found: { [name: string]: unknown } = { day, currency, kind, reason, group };
    for (const [place, name] of sumNames.entries()) {
      const amount = lists[place]?.[index];
      found[name] = amount === undefined || amount === '0' ? 0n : BigInt(amount);
    }
    // Each name of a sum has been given its amount.
    return [found as GroupedRow];
  });
}

/** The rows of combinations, several of which may be of one group, added up. */
function addedUp(rows: readonly GroupedRow[]): GroupedRow[] {
  const sums = new Map<string, GroupedRow>();
  for (const row of rows) {
    const key = [row.day, row.currency, row.kind, row.reason, row.group].join(' ');
    const known = sums.get(key);
    sums.set(key, known === undefined ? row : { ...known, ...plus(known, row) });
  }
  return [...sums.values()];
}

/** The sum of each name, as a list of one; empty where it is 0. */
const added = sumNames
  .map((name) => `CASE sum("${name}") WHEN 0 THEN '{}' ELSE ARRAY[sum("${name}")::bigint] END AS "${name}"`)
  .join(', ');

/**
 * The sums of spans, and the levels of all days before as rows of an empty day. What moved between combinations of one group is left out. One
 * statement; it reads a row for each month and group, whose days it lists, whatever the number of customers.
 */
export async function readRollups(
  sql: Query,
  { first, spans }: RollupSpans,
  choice: RollupChoice,
): Promise<GroupedRow[]> {
  const scope = scopeOf(choice);
  const part = (key: string, name: Dimension): string =>
    scope === 'group' ? `split_part("${key}", '|', ${dimensions.indexOf(name) + 1})` : `"${key}"`;
  const chosen = (key: string): string =>
    dimensions
      .map((name, index) => `($${index + 8}::text[] IS NULL OR ${part(key, name)} = ANY($${index + 8}))`)
      .join(' AND ');
  const { groupBy } = choice;
  const group = groupBy === null ? `''` : part('groupKey', groupBy);
  const other = groupBy === null ? `''` : part('otherKey', groupBy);
  const conditions = `scope = $5 AND ($7::text[] IS NULL OR currency = ANY($7)) AND ${chosen('groupKey')}
    AND NOT ("otherKey" <> '' AND ${group} = ${other} AND ${chosen('otherKey')})`;
  const rows = await sql<RollupRow>(
    `SELECT coalesce(to_char(start AT TIME ZONE 'UTC', 'YYYY-MM-DD'), '') AS day, currency, kind, reason, "group", ${['days', ...sumNames].map((name) => `"${name}"::text AS "${name}"`).join(', ')}
     FROM (SELECT NULL::timestamptz AS start, currency, kind, reason, ${group} AS "group", '{1}'::smallint[] AS days, ${added} FROM "MrrRollup"
       WHERE "environmentId" = $1 AND ${conditions} AND month < $6 AND kind = 'level'
       GROUP BY currency, kind, reason, "group" HAVING ${sumNames.map((name) => `sum("${name}") <> 0`).join(' OR ')}
       UNION ALL SELECT t.month, t.currency, t.kind, t.reason, ${group}, ${listsOfSpan(sumNames)} FROM ${monthsOfSpans('MrrRollup', conditions)}) AS r`,
    [
      ...spanArrays(spans),
      scope,
      midnightOf(first),
      choice.currencies,
      ...dimensions.map((name) => choice.values[name]),
    ],
  );
  const [from, to] = [spans[0]?.from ?? first, spans.at(-1)?.to ?? first];
  const days = rows.flatMap((row) => daysOfRow(row, from, to));
  return scope === 'group' ? addedUp(days) : days;
}

/** The level that sums of months of one scope come to, by what they are told apart by. Rate units. */
export type LevelSum = Pick<MrrRollupKey, 'scope' | 'currency' | 'groupKey'> & {
  readonly amount: bigint;
};

/** The levels that all sums come to. One statement, which reads all sums. */
export const readLevels = (sql: Query): Promise<LevelSum[]> =>
  sql<LevelSum>(
    `SELECT scope, currency, "groupKey", sum(amount)::bigint AS amount FROM "MrrRollup"
     WHERE "environmentId" = $1 AND kind = 'level' GROUP BY scope, currency, "groupKey"`,
  );

/** Where sums of months are not those of their days. One statement, which costs time in proportion to all sums. */
export const readRollupMismatches = (sql: Query): Promise<SumMismatch[]> =>
  sql<SumMismatch>(monthMismatches(rollupSums));

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

/** How many subscriptions are active, as decisions counted them. One statement, which reads one row. */
export async function readActive(sql: Query): Promise<number> {
  const [row] = await sql<{ active: bigint }>(
    'SELECT "activeSubscriptions" AS active FROM "EnvironmentCounter" WHERE "environmentId" = $1',
  );
  return Number(row?.active ?? 0n);
}

/** Where the count of active subscriptions is not that of the rows. One statement. */
export const readActiveMismatches = (sql: Query): Promise<SumMismatch[]> =>
  sql<SumMismatch>(
    `SELECT 'active subscriptions' AS subject, s.active AS expected, c."activeSubscriptions" AS actual FROM "EnvironmentCounter" c
     CROSS JOIN (SELECT count(*) AS active FROM "Subscription" WHERE "environmentId" = $1 AND status = 'active') AS s
     WHERE c."environmentId" = $1 AND c."activeSubscriptions" <> s.active`,
  );

/** Counts the active subscriptions again. Who changes how many there are waits meanwhile, and what others changed before is counted. */
export async function recountActive(sql: Query): Promise<void> {
  await sql('SELECT 1 FROM "EnvironmentCounter" WHERE "environmentId" = $1 FOR UPDATE');
  await sql(
    `UPDATE "EnvironmentCounter" SET "activeSubscriptions" = s.active
     FROM (SELECT count(*) AS active FROM "Subscription" WHERE "environmentId" = $1 AND status = 'active') AS s WHERE "environmentId" = $1`,
  );
}

/** How many subscriptions ended since an instant and have not begun again. One statement, which reads those that ended since. */
export async function countCanceled(sql: Query, since: Date): Promise<number> {
  const [row] = await sql<{ canceled: number }>(
    `SELECT count(*)::int AS canceled FROM "Subscription" WHERE "environmentId" = $1 AND "canceledAt" >= $2 AND status = 'canceled'`,
    [since],
  );
  return row?.canceled ?? 0;
}

/**
 * The next ends of periods and trials, from an instant on and before another, at which something changes by itself: a trial or a subscription ends, the
 * plan changes, seats leave, or a phase of an offer begins or ends. The earliest first, at most `limit`. One statement.
 */
export const readScheduledTasks = (
  sql: Query,
  from: Date,
  until: Date,
  limit: number,
): Promise<DeadlineRow[]> =>
  sql<DeadlineRow>(
    `WITH scheduled AS (
       SELECT s.id FROM "Subscription" s WHERE s."environmentId" = $1 AND s.status IN ('trialing', 'active', 'past_due')
         AND (s."cancelAtPeriodEnd" OR s."scheduledChange" IS NOT NULL OR s.status = 'trialing')
       UNION SELECT s.id FROM "FeatureCount" c JOIN "Subscription" s ON s."environmentId" = $1 AND s."customerId" = c."customerId"
       WHERE c."environmentId" = $1 AND c."pendingRemovals" > 0 AND s.status IN ('active', 'past_due')
       UNION SELECT s.id FROM "OfferApplication" a JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = a."subscriptionId"
         CROSS JOIN LATERAL jsonb_array_elements(a.phases) AS p CROSS JOIN LATERAL (VALUES (p->>'startsAt'), (p->>'endsAt')) AS b(at)
       WHERE a."environmentId" = $1 AND a.status = 'applied' AND a."endedAt" IS NULL AND s.status IN ('active', 'past_due')
         AND b.at::timestamptz > s."periodStart" AND b.at::timestamptz <= s."periodEnd")
     SELECT ${columnList('Deadline', 't')} FROM scheduled s JOIN "Deadline" t ON t."environmentId" = $1 AND t."subscriptionId" = s.id
     WHERE t.kind IN ('period_end', 'trial_end') AND t.state = 'ready' AND t."dueAt" >= $2 AND t."dueAt" < $3
     ORDER BY t."dueAt", t.rank, t."subjectSeq", t.id LIMIT $4`,
    [from, until, limit],
  );
