import type { CustomerState, FoldedEntry } from '../../../domain/metrics/fold.ts';
import {
  type Dimension,
  dimensions,
  type MrrRollupKey,
  plus,
  sumNames,
} from '../../../domain/metrics/movements.ts';
import { midnightOf } from '../../../domain/metrics/range.ts';
import type { RecurringSubscription } from '../../../domain/metrics/recurring.ts';
import type { MrrState } from '../../../domain/rows/recurring-rows.ts';
import type { DeadlineRow } from '../../../domain/rows/rows.ts';
import { columnList } from '../../../platform/db/bulk.ts';
import { lockCounter } from '../../../platform/db/locks.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import {
  listsOfSpan,
  monthsOfSpans,
  type SumMismatch,
  type SumTable,
  spanArrays,
} from '../day-sums/store.ts';
import { daysOfRow, type RollupRow } from './read-days.ts';
import { type GroupedRow, type RollupChoice, type RollupSpans, scopeOf } from './rules.ts';

/** Progress of aggregating the environment's MRR entries. */
export type Cursor = Pick<Row<'SumCursor'>, 'seq' | 'day' | 'closedMonth' | 'closesAt'>;

/** Reads the progress of aggregating the environment's MRR entries. `seq` is 0 before the worker's first run. */
export async function readCursor(sql: Query): Promise<Cursor> {
  const [row] = await sql<Cursor>(
    `SELECT seq, day, "closedMonth", "closesAt" FROM "SumCursor" WHERE "environmentId" = $1 AND source = 'revenue'`,
  );
  return row ?? { seq: 0n, day: null, closedMonth: null, closesAt: null };
}

export const readEntries = (sql: Query, after: bigint, limit: number): Promise<FoldedEntry[]> =>
  sql<FoldedEntry>(
    `SELECT ${columnList('MrrEntry', 't')} FROM "MrrEntry" t WHERE t."environmentId" = $1 AND t.seq > $2 ORDER BY t.seq LIMIT $3`,
    [after, limit],
  );

/** Entry that was added to a customer's daily change. `key` contains the customer ID and the day, separated by `/`. */
export type DayEntry = Row<'MrrEntry'> & { readonly key: string };

/** Reads the entries that were added to customers' daily changes, up to the `seq` of each change, in order. Runs one statement. */
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

/** Reads the current recurring revenue of customers by currency, without amounts of 0. Runs one statement. */
export const readCustomerMrr = (
  sql: Query,
  customerIds: readonly string[],
): Promise<{ readonly customerId: string; readonly currency: string; readonly amount: bigint }[]> =>
  sql(
    `SELECT s."customerId", s.currency, sum(s.mrr)::bigint AS amount FROM "Subscription" s
     WHERE s."environmentId" = $1 AND s."customerId" = ANY($2)
     GROUP BY s."customerId", s.currency HAVING sum(s.mrr) <> 0 ORDER BY s.currency`,
    [customerIds],
  );

/** Reads the events of the entries' subscriptions that were written in the same transaction as the entry, in order. Runs one statement. */
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

/** Reads customers by ID, with their aggregated revenue. */
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

/** Table of MRR sums, with one row per month and group. A row also contains the daily sums of the month. */
export const rollupSums: SumTable = {
  table: 'MrrRollup',
  keys: ['scope', 'currency', 'kind', 'reason', 'groupKey', 'otherKey'],
  amounts: sumNames,
};

/** Adds up MRR sums with the same day, currency, type, reason, and group. */
function addedUp(rows: readonly GroupedRow[]): GroupedRow[] {
  const sums = new Map<string, GroupedRow>();
  for (const row of rows) {
    const { day, currency, kind, reason, group } = row;
    const key = `${day} ${currency} ${kind} ${reason} ${group}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? row : { day, currency, kind, reason, group, ...plus(known, row) });
  }
  return [...sums.values()];
}

/** SQL for each sum as a list with one element. The list is empty if the sum is 0. */
const added = sumNames
  .map((name) => `CASE sum("${name}") WHEN 0 THEN '{}' ELSE ARRAY[sum("${name}")::bigint] END AS "${name}"`)
  .join(', ');

/**
 * Reads the MRR sums in the spans, and the MRR levels of all earlier days as rows with an empty day. Excludes movements within a group.
 * Runs one statement that reads one row per month and group, so the cost doesn't depend on the number of customers.
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

/** MRR level of one scope and group key according to the monthly sums, in ten-thousandths of the currency unit (10,000 = 1.00). */
export type LevelSum = Pick<MrrRollupKey, 'scope' | 'currency' | 'groupKey'> & {
  readonly amount: bigint;
};

/** Reads the MRR levels of all scopes. Runs one statement that reads all MRR sums. */
export const readLevels = (sql: Query): Promise<LevelSum[]> =>
  sql<LevelSum>(
    `SELECT scope, currency, "groupKey", sum(amount)::bigint AS amount FROM "MrrRollup"
     WHERE "environmentId" = $1 AND kind = 'level' GROUP BY scope, currency, "groupKey"`,
  );

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

/** Subscription with the data that determines its recurring revenue, including counts and active add-ons. */
export type HeldRevenue = RecurringSubscription & {
  readonly id: string;
  readonly counts: readonly { readonly featureId: string; readonly count: string }[];
  readonly addons: readonly string[];
};

/** Reads all current subscriptions that have been activated. Runs one statement. Memory grows with the number of subscriptions. */
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

/** Reads the stored recurring revenue of subscriptions, without amounts of 0. Runs one statement. */
export async function readSubscriptionMrr(sql: Query): Promise<ReadonlyMap<string, bigint>> {
  const rows = await sql<{ id: string; mrr: bigint }>(
    'SELECT id, mrr FROM "Subscription" WHERE "environmentId" = $1 AND mrr <> 0',
  );
  return new Map(rows.map(({ id, mrr }) => [id, mrr]));
}

/** Reads each subscription's revenue as of its last entry. Omits subscriptions without revenue. Runs one statement. */
export async function readLastStates(sql: Query): Promise<ReadonlyMap<string, MrrState>> {
  const rows = await sql<{ subscriptionId: string; after: MrrState | null }>(
    `SELECT DISTINCT ON (e."subscriptionId") e."subscriptionId", e.after FROM "MrrEntry" e
     WHERE e."environmentId" = $1 ORDER BY e."subscriptionId", e.seq DESC`,
  );
  return new Map(
    rows.flatMap(({ subscriptionId, after }) => (after === null ? [] : [[subscriptionId, after] as const])),
  );
}

/**
 * Retention of one month's customers at the end of a later month, in one currency. Amounts are in ten-thousandths of the currency unit
 * (10,000 = 1.00).
 */
export type RetentionRow = {
  readonly currency: string;
  readonly customers: bigint;
  readonly left: bigint;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly retained: bigint;
};

/** Reads the retention at the end of a month compared with an earlier month, by currency. */
export const readRetention = (sql: Query, month: string, months: number): Promise<RetentionRow[]> =>
  sql<RetentionRow>(
    `SELECT currency, customers, "left", opening, closing, retained FROM "MrrRetention"
     WHERE "environmentId" = $1 AND month = $2 AND months = $3 ORDER BY currency`,
    [month, months],
  );

/**
 * Cohort cell: the customers who first paid in one month and still paid at the end of a later month, in one currency. Amounts are in
 * ten-thousandths of the currency unit (10,000 = 1.00).
 */
export type CohortRow = {
  readonly cohort: string;
  readonly month: string;
  readonly currency: string;
  readonly customers: bigint;
  readonly mrr: bigint;
};

/** Reads the cohort cells of the cohorts in a range of months. */
export const readCohorts = (sql: Query, from: string, to: string): Promise<CohortRow[]> =>
  sql<CohortRow>(
    `SELECT cohort, month, currency, customers, mrr FROM "MrrCohort"
     WHERE "environmentId" = $1 AND cohort BETWEEN $2 AND $3 ORDER BY currency, cohort, month`,
    [from, to],
  );

/** Reads the number of active subscriptions from a counter. Runs one statement that reads one row. */
export async function readActive(sql: Query): Promise<number> {
  const [row] = await sql<{ active: bigint }>(
    'SELECT "activeSubscriptions" AS active FROM "EnvironmentCounter" WHERE "environmentId" = $1',
  );
  return Number(row?.active ?? 0n);
}

/** Returns the difference between the counter of active subscriptions and the actual number, if any. Runs one statement. */
export const readActiveMismatches = (sql: Query): Promise<SumMismatch[]> =>
  sql<SumMismatch>(
    `SELECT 'active subscriptions' AS subject, s.active AS expected, c."activeSubscriptions" AS actual FROM "EnvironmentCounter" c
     CROSS JOIN (SELECT count(*) AS active FROM "Subscription" WHERE "environmentId" = $1 AND status = 'active') AS s
     WHERE c."environmentId" = $1 AND c."activeSubscriptions" <> s.active`,
  );

/** Recounts the active subscriptions. Locks the counter, so that concurrent changes wait and earlier changes are included. */
export async function recountActive(sql: Query): Promise<void> {
  await lockCounter(sql);
  await sql(
    `UPDATE "EnvironmentCounter" SET "activeSubscriptions" = s.active
     FROM (SELECT count(*) AS active FROM "Subscription" WHERE "environmentId" = $1 AND status = 'active') AS s WHERE "environmentId" = $1`,
  );
}

/** Counts the subscriptions that were canceled after the given time and haven't been reactivated. Reads only these subscriptions. */
export async function countCanceled(sql: Query, since: Date): Promise<number> {
  const [row] = await sql<{ canceled: number }>(
    `SELECT count(*)::int AS canceled FROM "Subscription" WHERE "environmentId" = $1 AND "canceledAt" >= $2 AND status = 'canceled'`,
    [since],
  );
  return row?.canceled ?? 0;
}

/**
 * Reads up to `limit` ends of periods and trials in a time range at which a subscription changes automatically,
 * earliest first. The change can be the end of a trial, subscription, or offer phase, a plan change, or a seat removal.
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
