import { type Day, midnightOf, type SpanOfSums } from '../../domain/metrics/range.ts';
import type { Query } from '../../platform/db/pool.ts';
import { type BucketSum, type ListedRow, sumBuckets } from './rules.ts';

// The statements that sums of months, and of the days in each, have in common. In all of them the environment is $1.

/**
 * A table of sums, a row for each month and key: what its rows are told apart by beside their months, and what is added up. An amount is that of the
 * month; those of its days are in a list of their own, in the order of the numbers of days in `days`. Days on which nothing was added are left out, and
 * a list is empty where an amount is 0 on each day.
 */
export type SumTable = {
  readonly table: string;
  readonly keys: readonly string[];
  readonly amounts: readonly string[];
};

/** The UTC day of an instant, as its midnight. */
export const dayOf = (instant: string): string => `date_trunc('day', ${instant}, 'UTC')`;

/** Names of columns as a list, of a table where `of` says its alias with a dot. */
export const quoted = (names: readonly string[], of = ''): string =>
  names.map((name) => `${of}"${name}"`).join(', ');

/** The columns with the amounts of days. */
const listsOf = (amounts: readonly string[]): string[] => amounts.map((amount) => `${amount}Days`);

const dayText = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

const monthText = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM')`;

/** A column of a key as text, of a table where `of` says its alias with a dot. */
const keyText = (key: string, of = ''): string =>
  key.endsWith('Day') ? dayText(`${of}"${key}"`) : `${of}"${key}"::text`;

/** The part of an id that a key is. A group may have any length and any characters. */
const idPart = (key: string): string =>
  key === 'groupKey' || key === 'otherKey' ? `md5("${key}")` : keyText(key);

/**
 * The lists of a month from a row for each of its days: the number `n` of the day and its amounts. A month keeps its row when its days come to nothing, so
 * that sums are the same however many facts are added at once.
 */
function lists(amounts: readonly string[]): string {
  const isAny = amounts.map((amount) => `"${amount}" <> 0`).join(' OR ');
  const list = (column: string): string => `array_agg(${column} ORDER BY n) FILTER (WHERE ${isAny})`;
  return [
    `coalesce(${list('n')}, '{}')`,
    ...amounts.map(
      (amount) => `CASE WHEN bool_or("${amount}" <> 0) THEN ${list(`"${amount}"`)} ELSE '{}' END`,
    ),
  ].join(', ');
}

const added = (amounts: readonly string[]): string =>
  amounts.map((amount) => `SUM("${amount}")::bigint AS "${amount}"`).join(', ');

/** A row for each day in the lists of one row: the number `n` of the day and its amounts. */
const listed = (amounts: readonly string[], of: string): string =>
  `SELECT d.n, ${amounts.map((amount) => `coalesce(d."${amount}", 0) AS "${amount}"`).join(', ')}
   FROM unnest(${quoted(['days', ...listsOf(amounts)], of)}) AS d(n, ${quoted(amounts)})`;

/** Adds rows, each with its day, to the sums of their months and days. They come of the row of counters, as `anchored` says. */
export function folding({ table, keys, amounts }: SumTable, rows: string): string {
  const columns = ['month', ...keys];
  const own = quoted(listsOf(amounts));
  const names = keys.map((key) => `, "${key}"`).join('');
  return `INSERT INTO "${table}" ("environmentId", id, ${quoted([...columns, ...amounts])}, days, ${own})
    SELECT c."environmentId", concat_ws(' ', ${[monthText('month'), ...keys.map(idPart)].join(', ')}), ${quoted(columns)}, ${added(amounts)}, ${lists(amounts)}
    FROM "EnvironmentCounter" c CROSS JOIN (
      SELECT date_trunc('month', day, 'UTC') AS month, extract(day FROM day AT TIME ZONE 'UTC')::smallint AS n${names}, ${added(amounts)}
      FROM (${rows}) AS r GROUP BY 1, 2${names}) AS r
    WHERE c."environmentId" = $1 GROUP BY c."environmentId", ${quoted(columns)}
    ON CONFLICT ("environmentId", id) DO UPDATE SET ${amounts.map((amount) => `"${amount}" = "${table}"."${amount}" + EXCLUDED."${amount}"`).join(', ')},
      (days, ${own}) = (SELECT ${lists(amounts)} FROM (
        SELECT n, ${added(amounts)} FROM (
          ${listed(amounts, `"${table}".`)} UNION ALL ${listed(amounts, 'EXCLUDED.')}) AS d
        GROUP BY n) AS d)`;
}

/** The parameters of a read: its spans as $2 to $4, and the first days of its buckets as $5. */
export const spanParameters = (spans: readonly SpanOfSums[], starts: readonly Day[]): unknown[] => [
  ...spanArrays(spans),
  starts.map(midnightOf),
];

/** The parameters of the spans of a read, as $2 to $4. */
export const spanArrays = (spans: readonly SpanOfSums[]): unknown[] => [
  spans.map(({ span }) => span),
  spans.map(({ from }) => midnightOf(from)),
  spans.map(({ to }) => midnightOf(to)),
];

/** The place of the bucket a row lies in, from 0. */
export const bucketOf = 'width_bucket(day, $5::timestamptz[]) - 1';

const spansOfRead = 'unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS s(span, "from", "to")';

/** The rows of the months of a span, as `t`. */
const monthsOfSpan = (table: string, where: string): string =>
  `(SELECT * FROM "${table}" WHERE "environmentId" = $1 AND ${where} AND month BETWEEN date_trunc('month', s."from", 'UTC') AND s."to" OFFSET 0) AS t`;

/** The rows that wait within the spans of a read. */
const waitingRows = (columns: string, rows: string, where: string): string =>
  `SELECT day, ${columns} FROM (${rows}) AS waiting
   WHERE ${where} AND day BETWEEN ($3::timestamptz[])[1] AND ($4::timestamptz[])[array_length($4::timestamptz[], 1)]`;

/** The instant a day of a month begins, whatever the time zone of the connection. */
const dayIn = (month: string): string => `${month} + (d.n - 1) * interval '24 hours'`;

/** The months of the spans of a read, as `t`, each with its span `s`. */
export const monthsOfSpans = (table: string, where: string): string =>
  `${spansOfRead} CROSS JOIN LATERAL ${monthsOfSpan(table, where)}`;

/** The columns of a row for each day: its day, its keys of the month `t`, and its amounts of the day `d`. */
const columnsOfDay = ({ keys, amounts }: SumTable): string =>
  [`${dayIn('t.month')} AS day`, ...keys.map((key) => `t."${key}"`), quoted(amounts, 'd.')].join(', ');

/**
 * The sums of the spans of a read, and rows that are not added up yet, together as `r`: a row for each day, or for each month where a span is one of
 * months. `where` limits both, by keys that an index of the table begins with if it can. For what is added up further in the database.
 */
export function summed(sums: SumTable, rows: string, where = 'TRUE'): string {
  const { table, keys, amounts } = sums;
  return `(SELECT ${columnsOfDay(sums)}
    FROM ${monthsOfSpans(table, where)} CROSS JOIN LATERAL (
      SELECT 1 AS n, ${quoted(amounts, 't.')} WHERE s.span = 'month'
      UNION ALL (${listed(amounts, 't.')} WHERE s.span = 'day')) AS d
    WHERE ${dayIn('t.month')} BETWEEN s."from" AND s."to"
    UNION ALL ${waitingRows(quoted([...keys, ...amounts]), rows, where)}) AS r`;
}

/** The sums of all days, a row for each, as `r`; `where` limits them. No parameters but the environment. */
export const storedDays = (sums: SumTable, where = 'TRUE'): string =>
  `(SELECT ${columnsOfDay(sums)}
    FROM "${sums.table}" t CROSS JOIN LATERAL (${listed(sums.amounts, 't.')}) AS d WHERE t."environmentId" = $1 AND ${where}) AS r`;

/** The same with rows that are not added up yet. */
export const summedDays = (sums: SumTable, rows: string, where = 'TRUE'): string =>
  `(SELECT * FROM ${storedDays(sums, where)}
    UNION ALL SELECT day, ${quoted([...sums.keys, ...sums.amounts])} FROM (${rows}) AS waiting WHERE ${where}) AS r`;

/** A list of one number. */
const one = (amount: string): string => `ARRAY[${amount}]`;

/** The lists of a row as its own day, or as those of its month where these are asked for. */
export const listsOfSpan = (amounts: readonly string[]): string =>
  [
    `CASE s.span WHEN 'month' THEN '{1}' ELSE t.days END AS days`,
    ...amounts.map(
      (amount) =>
        `CASE WHEN t."${amount}Days" = '{}' THEN '{}' WHEN s.span = 'month' THEN ${one(`t."${amount}"`)} ELSE t."${amount}Days" END AS "${amount}"`,
    ),
  ].join(', ');

/** A month of a row as text, and its lists as the text of arrays, which drivers read alike. */
const asText = (amounts: readonly string[]): string =>
  [
    `${dayText('start')} AS start`,
    'days::text AS days',
    ...amounts.map((amount) => `"${amount}"::text AS "${amount}"`),
  ].join(', ');

/** What a series is read of: the rows that wait with the statements they are made by, and which keys count. Its parameters begin with $5. */
export type SumSource = {
  readonly sums: SumTable;
  readonly rows: string;
  readonly before: string;
  readonly where?: string;
  readonly params?: readonly unknown[];
};

/**
 * The sums of a series by bucket and key, with rows that are not added up yet; those of which every amount is 0 are left out. One statement, which
 * answers a row for each month and key with the amounts of its days, or with that of the month where the span is one of months.
 */
export async function readSums<Keys extends readonly (string | null)[] = readonly string[]>(
  sql: Query,
  { sums: { table, keys, amounts }, rows, before, where = 'TRUE', params = [] }: SumSource,
  spans: readonly SpanOfSums[],
  starts: readonly Day[],
): Promise<BucketSum<Keys>[]> {
  const own = keys.map((key) => `t."${key}", `).join('');
  const found = await sql<ListedRow<Keys>>(
    `WITH ${before} SELECT ${[...keys.map((key) => keyText(key)), asText(amounts)].join(', ')}
     FROM (SELECT t.month AS start, ${own}${listsOfSpan(amounts)} FROM ${monthsOfSpans(table, where)}
       UNION ALL SELECT day, ${[...keys.map((key) => `"${key}"`), `'{1}'`, ...amounts.map((amount) => one(`"${amount}"::bigint`))].join(', ')}
       FROM (${waitingRows(quoted([...keys, ...amounts]), rows, where)}) AS w) AS r`,
    [...spanArrays(spans), ...params],
    (values) => ({
      keys: values.slice(0, keys.length),
      start: values[keys.length],
      days: values[keys.length + 1],
      amounts: values.slice(keys.length + 2),
    }),
  );
  return sumBuckets(found, spans, starts);
}

/** The columns of what `mismatching` finds: where two sums differ, and both. */
export type SumMismatch = { readonly subject: string; readonly expected: bigint; readonly actual: bigint };

/**
 * Where sums of months are not those of their days, as a query of `SumMismatch`. Costs time in proportion to all sums.
 */
export function monthMismatches({ table, keys, amounts }: SumTable): string {
  const subject = [monthText('t.month'), ...keys.map((key) => keyText(key, 't.'))];
  const compared = amounts.map(
    (amount) =>
      `SELECT concat_ws(' ', '${table}', '${amount}', ${subject.join(', ')}) AS subject,
         coalesce((SELECT SUM(u.amount) FROM unnest(t."${amount}Days") AS u(amount)), 0)::bigint AS expected, t."${amount}" AS actual
       FROM "${table}" t WHERE t."environmentId" = $1`,
  );
  return `SELECT subject, expected, actual FROM (${compared.join(' UNION ALL ')}) AS c WHERE expected <> actual`;
}
