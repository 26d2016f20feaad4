import type { Folded, LateEntry, RewrittenDay, RollupChange } from '../../../../domain/metrics/fold.ts';
import { sumNames } from '../../../../domain/metrics/movements.ts';
import { lastDayOf, type Month } from '../../../../domain/metrics/range.ts';
import { anchored, arrayInsert } from '../../../../platform/db/bulk.ts';
import { arrayParameters, arraySource } from '../../../../platform/db/column-arrays.ts';
import type { Query } from '../../../../platform/db/pool.ts';
import { folding, follows, quoted, type Source } from '../../day-sums/store.ts';
import { retentionMonths } from '../rules.ts';
import { type Cursor, rollupSums } from '../store.ts';

/** MRR entries. A month whose end has passed is also work, because the worker closes it. */
export const revenueSource: Source = {
  name: 'revenue',
  sums: [rollupSums],
  derived: ['MrrCustomer', 'MrrCustomerDay', 'MrrMonth', 'MrrRetention', 'MrrCohort'],
  counter: 'seq',
  hasRows: follows('MrrEntry', 'e.seq > k.seq', 'e.seq'),
  isDue: (own, now) =>
    `k."closesAt" IS NOT NULL AND k."closesAt" <= coalesce((SELECT t."simulatedTime" FROM "TestClock" t WHERE t."environmentId" = ${own}), ${now})`,
};

/** Returns up to `limit` customers after an ID, in order, whose current subscriptions existed before revenue entries were introduced. */
export async function findUnopened(sql: Query, after: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `SELECT DISTINCT "customerId" AS id FROM "Subscription"
     WHERE "environmentId" = $1 AND status IN ('active', 'past_due') AND "activatedAt" IS NOT NULL AND recurring IS NULL AND "customerId" > $2
     ORDER BY 1 LIMIT $3`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/** Stores the progress of aggregating the environment's MRR entries. */
export async function moveCursor(sql: Query, { seq, day, closedMonth, closesAt }: Cursor): Promise<void> {
  await sql(
    `UPDATE "SumCursor" SET seq = $2, day = $3, "closedMonth" = $4, "closesAt" = $5 WHERE "environmentId" = $1 AND source = 'revenue'`,
    [seq, day, closedMonth, closesAt],
  );
}

const text = (name: string) => ({ name, sqlType: 'text' }) as const;
const bigint = (name: string) => ({ name, sqlType: 'bigint' }) as const;
const json = (name: string) => ({ name, sqlType: 'jsonb' }) as const;

const rollupColumns = [text('day'), ...rollupSums.keys.map(text), ...sumNames.map(bigint)] as const;

/** SQL for the daily MRR changes to add. Parameters start at $2. */
const rollupSource = arraySource(rollupColumns);
const rollupNames = rollupColumns.map(({ name }) => `"${name}"`).join(', ');
const rollupRows = `SELECT (day || 'T00:00:00Z')::timestamptz AS day, ${quoted([...rollupSums.keys, ...sumNames])}
  FROM (SELECT ${rollupSource.values.join(', ')} FROM ${rollupSource.from}) AS r(${rollupNames})`;

/** Adds to daily MRR sums. Returns, for each sum, whether it's now 0 on every day. */
const rollupInsert = `${folding(rollupSums, rollupRows)} RETURNING id, days = '{}' AS "isEmpty"`;

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
     ${anchored(
       'r.id, r.seq, r.day, r."customerId", r.currency, r.kind, r.reason, r.before, r.after, r."planIds"',
       'json_to_recordset($2::json) AS r(id text, seq bigint, day text, "customerId" text, currency text, kind text, reason text, before bigint, after bigint, "planIds" text[])',
     )}`,
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

/** Adds amounts to MRR sums, and deletes the sums that are now 0 on every day. */
async function writeRollups(sql: Query, rollups: readonly RollupChange[]): Promise<void> {
  // Monthly changes aren't needed, because the statement derives the monthly sums from the daily changes.
  const days = rollups.filter(({ span }) => span === 'day');
  if (days.length === 0) return;
  const written = await sql<{ id: string; isEmpty: boolean }>(rollupInsert, [
    ...arrayParameters(rollupColumns, days),
  ]);
  const empty = written.flatMap(({ id, isEmpty }) => (isEmpty ? [id] : []));
  if (empty.length > 0)
    await sql('DELETE FROM "MrrRollup" t WHERE t."environmentId" = $1 AND t.id = ANY($2)', [empty]);
}

/** Records the day that each late entry was added to. */
async function writeLate(sql: Query, late: readonly LateEntry[]): Promise<void> {
  if (late.length === 0) return;
  await sql(
    `UPDATE "MrrEntry" t SET "countedOn" = r.day FROM unnest($2::bigint[], $3::text[]) AS r(seq, day)
     WHERE t."environmentId" = $1 AND t.seq = r.seq`,
    [late.map(({ seq }) => seq), late.map(({ countedOn }) => countedOn)],
  );
}

/**
 * Stores the results of aggregating entries. Runs four SQL statements, plus one for late entries and one for sums that
 * became 0.
 */
export async function writeFolded(
  sql: Query,
  { customers, rollups, days, late }: Folded & { readonly late: readonly LateEntry[] },
): Promise<void> {
  await writeRollups(sql, rollups);
  await sql(customerInsert, [...arrayParameters(customerColumns, [...customers.values()])]);
  await writeDays(sql, days);
  await writeLate(sql, late);
}

/** Counts paying customers. Counts a customer once for each currency that the customer pays in. */
export async function readPaying(sql: Query): Promise<number> {
  const [row] = await sql<{ paying: number }>(
    `SELECT coalesce(sum(paying), 0)::int AS paying FROM "MrrRollup" WHERE "environmentId" = $1 AND scope = 'currency' AND kind = 'level'`,
  );
  return row?.paying ?? 0;
}

/**
 * Stores each customer's revenue at the ends of consecutive months after the month `closed`, and derives retention and
 * cohorts. Calculates each month end from the previous month end and the customers' days. Runs three SQL statements,
 * regardless of the number of months.
 */
export async function closeMonths(sql: Query, closed: Month, months: readonly Month[]): Promise<void> {
  const last = months.at(-1);
  if (last === undefined) return;
  await sql(
    `WITH months AS (SELECT * FROM unnest($2::text[], $3::text[]) AS m(month, "lastDay")),
       changes AS (
         SELECT t."customerId", t.currency, '' AS day, t.mrr FROM "MrrMonth" t WHERE t."environmentId" = $1 AND t.month = $4
         UNION ALL SELECT d."customerId", d.currency, d.day, d.after FROM "MrrCustomerDay" d
         WHERE d."environmentId" = $1 AND d.day > $5 AND d.day <= $6),
       spans AS (SELECT c.*, lead(c.day) OVER (PARTITION BY c."customerId", c.currency ORDER BY c.day) AS until FROM changes c)
     INSERT INTO "MrrMonth" ("environmentId", month, "customerId", currency, mrr)
     SELECT $1, m.month, s."customerId", s.currency, s.mrr FROM spans s
       JOIN months m ON s.day <= m."lastDay" AND (s.until IS NULL OR s.until > m."lastDay")
     WHERE s.mrr > 0`,
    [months, months.map(lastDayOf), closed, lastDayOf(closed), lastDayOf(last)],
  );
  await sql(
    // Groups the amounts for both months instead of joining them, so that the duration stays proportional to the number of rows even if the
    // server's statistics are outdated.
    `WITH pairs AS (
       SELECT m.month, n.months, to_char(to_date(m.month, 'YYYY-MM') - make_interval(months => n.months), 'YYYY-MM') AS earlier
       FROM unnest($2::text[]) AS m(month) CROSS JOIN unnest($3::int[]) AS n(months)),
       paid AS (
         SELECT p.month, p.months, t.currency, max(t.mrr) FILTER (WHERE t.month = p.earlier) AS before,
           max(t.mrr) FILTER (WHERE t.month = p.month) AS after
         FROM pairs p JOIN "MrrMonth" t ON t."environmentId" = $1 AND t.month = ANY(ARRAY[p.earlier, p.month])
         GROUP BY p.month, p.months, t.currency, t."customerId")
     INSERT INTO "MrrRetention" ("environmentId", month, months, currency, customers, "left", opening, closing, retained)
     SELECT $1, month, months, currency, count(*), count(after), sum(before), coalesce(sum(after), 0), sum(least(before, coalesce(after, 0)))
     FROM paid WHERE before IS NOT NULL GROUP BY month, months, currency`,
    [months, retentionMonths],
  );
  await sql(
    `INSERT INTO "MrrCohort" ("environmentId", cohort, month, currency, customers, mrr)
     SELECT m."environmentId", left(c."firstPaidDay", 7), m.month, m.currency, count(*), sum(m.mrr)
     FROM "MrrMonth" m JOIN "MrrCustomer" c ON c."environmentId" = $1 AND c."customerId" = m."customerId"
     WHERE m."environmentId" = $1 AND m.month = ANY($2) AND c."firstPaidDay" IS NOT NULL
     GROUP BY 1, 2, m.month, m.currency`,
    [months],
  );
}
