import { type Day, midnightOf, type SpanOfSums } from '../../../domain/metrics/range.ts';
import type { SumSource } from '../../../domain/metrics/sources.ts';
import type { Query } from '../../../platform/db/pool.ts';
import { type BucketSum, type ListedRow, sumBuckets } from './rules.ts';

// SQL shared by all sums. The environment is always $1.

/**
 * Table of sums, with one row per month and key. A row contains the key columns and the monthly amounts. For each
 * amount, it also contains a list of daily amounts in the order of the day numbers in `days`. Days without changes are
 * omitted, and a list is empty if the amount is 0 on every day.
 */
export type SumTable = {
  readonly table: string;
  readonly keys: readonly string[];
  readonly amounts: readonly string[];
  /** SQL type of the amounts. Amounts of the type `numeric` are whole numbers in 10^-18 of a currency unit. The default is `bigint`. */
  readonly type?: 'bigint' | 'numeric';
};

/** Sum that is derived with SQL from the rows of a source. */
export type Sum = SumTable & {
  /** Query for the rows that the source rows in the CTE `fresh` add to the sum. Returns the day, the keys, and the amounts. */
  readonly rows: string;
  /** CTEs that `rows` reads in addition to `fresh`. */
  readonly before?: string;
  /** CTEs that write other tables when the sum is updated. */
  readonly writes?: string;
};

/** Table whose rows the worker adds to sums, in the order in which the rows were committed. */
export type Source = {
  readonly name: SumSource;
  readonly sums: readonly SumTable[];
  /** Other tables that the worker derives from the source. */
  readonly derived: readonly string[];
  /** Column of the environment's counter that numbers the source rows. The counter stays locked until the rows are committed. */
  readonly counter: 'seq' | 'eventPosition';
  /** SQL condition that rows follow the cursor `k`. `own` is the environment. */
  readonly hasRows: (own: string) => string;
  /** SQL condition that must also be true before the worker adds the rows. `now` is real time. */
  readonly isReady?: (now: string) => string;
  /** SQL condition that the worker has work even if no rows follow the cursor. */
  readonly isDue?: (own: string, now: string) => string;
  /** Setting that limits how long the source rows are kept. Sums of deleted rows can't be rebuilt. */
  readonly retention?: 'eventRetentionDays' | 'usageEventRetentionDays';
};

/** Source whose rows are added to sums with SQL. */
export type RowSource = Omit<Source, 'sums'> & {
  readonly sums: readonly Sum[];
  /** Table of the source rows. Its alias is `e`. */
  readonly table: string;
  /** Columns that the sums need. */
  readonly columns: string;
  /** Column that increases in commit order. */
  readonly at: string;
  /** Column of the cursor that contains the reached value of `at`. */
  readonly reached: 'seq' | 'until';
  /** Comparison between `at` and the reached value that selects the rows after the cursor. */
  readonly after: '>' | '>=';
  readonly order: string;
  /** Condition for the rows that affect a sum. */
  readonly where?: string;
  /** Maximum number of rows after the cursor that a read includes. */
  readonly mostFresh: number;
  /**
   * Queries for the amounts that all rows up to the cursor add up to, and for the stored amounts. Both return a description (`subject`) and
   * an amount. `before` contains the CTEs that they read. `isOfRows` is `true` if the expected amounts are computed from the source rows, and
   * `false` if they are computed from the derived tables.
   */
  readonly check: {
    readonly before: string;
    readonly expected: string;
    readonly actual: string;
    readonly isOfRows: boolean;
  };
};

/** SQL for the value that the environment's cursor of a source has reached. */
export const reachedBy = ({ name, reached }: Pick<RowSource, 'name' | 'reached'>): string =>
  `(SELECT k.${reached} FROM "SumCursor" k WHERE k."environmentId" = $1 AND k.source = '${name}')`;

/**
 * SQL condition that a row follows the cursor `k`. Reads the first row in order, so that the planner uses the index for this order. With
 * `EXISTS`, the planner may read all rows of an environment with another index.
 */
export const follows =
  (table: string, condition: string, order: string) =>
  (own: string): string =>
    `(SELECT TRUE FROM "${table}" e WHERE e."environmentId" = ${own} AND ${condition} ORDER BY ${order} LIMIT 1) IS TRUE`;

/** CTE `fresh`: the rows after the cursor, in order. `within` is a further condition. */
export function freshRows(source: RowSource, limit: number | string, within = 'TRUE'): string {
  const { table, columns, at, after, order, where = 'TRUE' } = source;
  return `fresh AS MATERIALIZED (SELECT ${columns} FROM "${table}" e WHERE e."environmentId" = $1
    AND e."${at}" ${after} ${reachedBy(source)} AND ${within} AND ${where} ORDER BY ${order} LIMIT ${limit})`;
}

/** CTEs for a read: the rows that the stored sums don't include yet, and the rows derived from them. */
export const freshFor = (source: RowSource, { before }: Sum): string =>
  [freshRows(source, source.mostFresh), ...(before === undefined ? [] : [before])].join(', ');

/** CTEs that add the rows in `fresh` to all sums of a source. */
export const foldingAll = ({ sums }: RowSource): string =>
  sums
    .flatMap((sum) => [
      ...(sum.before === undefined ? [] : [sum.before]),
      ...(sum.writes === undefined ? [] : [sum.writes]),
      `"of${sum.table}" AS (${folding(sum, sum.rows)})`,
    ])
    .join(', ');

/** True if reads include all rows of a source: no more rows follow the cursor than a read includes. */
export async function readIsComplete(sql: Query, source: RowSource): Promise<boolean> {
  const [row] = await sql<{ waiting: number }>(
    `WITH ${freshRows({ ...source, columns: 'e."environmentId"' }, source.mostFresh + 1)} SELECT count(*)::int AS waiting FROM fresh`,
  );
  return (row?.waiting ?? 0) <= source.mostFresh;
}

/** SQL for the start of a timestamp's UTC day. */
export const dayOf = (instant: string): string => `date_trunc('day', ${instant}, 'UTC')`;

/** Comma-separated list of quoted column names. `of` is a table alias with a dot. */
export const quoted = (names: readonly string[], of = ''): string =>
  names.map((name) => `${of}"${name}"`).join(', ');

/** Returns the names of the columns that contain daily amounts. */
const listsOf = (amounts: readonly string[]): string[] => amounts.map((amount) => `${amount}Days`);

/** SQL for a day in the format YYYY-MM-DD. */
export const dayText = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

const monthText = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM')`;

/** SQL that converts a key column to text. `of` is a table alias with a dot. */
const keyText = (key: string, of = ''): string =>
  key.endsWith('Day') ? dayText(`${of}"${key}"`) : `${of}"${key}"::text`;

/** SQL for the part of a row ID that represents a key column. Group names are hashed, because they can have any length and contain any characters. */
const idPart = (key: string): string =>
  key === 'groupKey' || key === 'otherKey' ? `md5("${key}")` : keyText(key);

/**
 * Lists for a month, aggregated from one row per day with the day number `n` and its amounts. A month keeps its row even if all of its days
 * become 0, so that sums don't depend on how facts are batched.
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

/** SQL for the sums of the amounts. */
export const added = ({ amounts, type = 'bigint' }: Pick<SumTable, 'amounts' | 'type'>): string =>
  amounts.map((amount) => `SUM("${amount}")::${type} AS "${amount}"`).join(', ');

/** SQL that expands the lists of a stored row into one row per day, with the day number `n` and the day's amounts. */
const listed = (amounts: readonly string[], of: string): string =>
  `SELECT d.n, ${amounts.map((amount) => `coalesce(d."${amount}", 0) AS "${amount}"`).join(', ')}
   FROM unnest(${quoted(['days', ...listsOf(amounts)], of)}) AS d(n, ${quoted(amounts)})`;

/** SQL that adds rows to the sums for their months and days. Each row has a day. The rows are selected from the counter row (see `anchored`). */
export function folding(sum: SumTable, rows: string): string {
  const { table, keys, amounts } = sum;
  const columns = ['month', ...keys];
  const own = quoted(listsOf(amounts));
  const names = keys.map((key) => `, "${key}"`).join('');
  return `INSERT INTO "${table}" ("environmentId", id, ${quoted([...columns, ...amounts])}, days, ${own})
    SELECT c."environmentId", concat_ws(' ', ${[monthText('month'), ...keys.map(idPart)].join(', ')}), ${quoted(columns)}, ${added(sum)}, ${lists(amounts)}
    FROM "EnvironmentCounter" c CROSS JOIN (
      SELECT date_trunc('month', day, 'UTC') AS month, extract(day FROM day AT TIME ZONE 'UTC')::smallint AS n${names}, ${added(sum)}
      FROM (${rows}) AS r GROUP BY 1, 2${names}) AS r
    WHERE c."environmentId" = $1 GROUP BY c."environmentId", ${quoted(columns)}
    ON CONFLICT ("environmentId", id) DO UPDATE SET ${amounts.map((amount) => `"${amount}" = "${table}"."${amount}" + EXCLUDED."${amount}"`).join(', ')},
      (days, ${own}) = (SELECT ${lists(amounts)} FROM (
        SELECT n, ${added(sum)} FROM (
          ${listed(amounts, `"${table}".`)} UNION ALL ${listed(amounts, 'EXCLUDED.')}) AS d
        GROUP BY n) AS d)`;
}

/** First days of consecutive buckets, and the spans of stored sums that cover the buckets. */
export type Spans = { readonly starts: readonly Day[]; readonly spans: readonly SpanOfSums[] };

/** Parameters for a read: the spans as $2 to $4, and the first days of the buckets as $5. */
export const spanParameters = ({ spans, starts }: Spans): unknown[] => [
  ...spanArrays(spans),
  starts.map(midnightOf),
];

/** Parameters for the spans of a read, as $2 to $4. */
export const spanArrays = (spans: readonly SpanOfSums[]): unknown[] => [
  spans.map(({ span }) => span),
  spans.map(({ from }) => midnightOf(from)),
  spans.map(({ to }) => midnightOf(to)),
];

/** SQL for the zero-based index of a row's bucket. */
export const bucketOf = 'width_bucket(day, $5::timestamptz[]) - 1';

const spansOfRead = 'unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS s(span, "from", "to")';

/** SQL for the monthly rows in a span `s`, with the alias `t`. */
const monthsOfSpan = (table: string, where: string): string =>
  `(SELECT * FROM "${table}" WHERE "environmentId" = $1 AND ${where} AND month BETWEEN date_trunc('month', s."from", 'UTC') AND s."to" OFFSET 0) AS t`;

/** SQL for the source rows within a read's spans. Includes only rows whose amounts haven't been added to the sums yet. */
const waitingRows = (columns: string, rows: string, where: string): string =>
  `SELECT day, ${columns} FROM (${rows}) AS waiting
   WHERE ${where} AND day BETWEEN ($3::timestamptz[])[1] AND ($4::timestamptz[])[array_length($4::timestamptz[], 1)]`;

/** SQL for the start of a day in a month, independent of the connection's time zone. */
const dayIn = (month: string): string => `${month} + (d.n - 1) * interval '24 hours'`;

/** SQL for the monthly rows in all spans of a read, with the alias `t`. The span of each row has the alias `s`. */
export const monthsOfSpans = (table: string, where: string): string =>
  `${spansOfRead} CROSS JOIN LATERAL ${monthsOfSpan(table, where)}`;

/** Columns of a daily row: the day, the keys from the month `t`, and the amounts from the day `d`. */
const columnsOfDay = ({ keys, amounts }: SumTable): string =>
  [`${dayIn('t.month')} AS day`, ...keys.map((key) => `t."${key}"`), quoted(amounts, 'd.')].join(', ');

/**
 * SQL for the sums in the spans of a read, with the alias `r`: one row per day, or per month for spans of months.
 * Includes source rows whose amounts haven't been added yet. `where` limits the stored sums and the source rows; it
 * should filter by the leading keys of a table index. Used in statements that aggregate the sums further.
 */
export function summed(sum: Sum, where = 'TRUE'): string {
  const { table, keys, amounts, rows } = sum;
  return `(SELECT ${columnsOfDay(sum)}
    FROM ${monthsOfSpans(table, where)} CROSS JOIN LATERAL (
      SELECT 1 AS n, ${quoted(amounts, 't.')} WHERE s.span = 'month'
      UNION ALL (${listed(amounts, 't.')} WHERE s.span = 'day')) AS d
    WHERE ${dayIn('t.month')} BETWEEN s."from" AND s."to"
    UNION ALL ${waitingRows(quoted([...keys, ...amounts]), rows, where)}) AS r`;
}

/**
 * SQL for the stored sums of all days, with the alias `r`: one row per day. `where` limits the rows. The environment is the only parameter.
 */
export const storedDays = (sums: SumTable, where = 'TRUE'): string =>
  `(SELECT ${columnsOfDay(sums)}
    FROM "${sums.table}" t CROSS JOIN LATERAL (${listed(sums.amounts, 't.')}) AS d WHERE t."environmentId" = $1 AND ${where}) AS r`;

/** SQL for a list with a single amount. */
const one = (amount: string): string => `ARRAY[${amount}]`;

/** SQL for the amounts to read from a row: the monthly amount for a span of months, otherwise one amount per day. */
export const listsOfSpan = (amounts: readonly string[]): string =>
  [
    `CASE s.span WHEN 'month' THEN '{1}' ELSE t.days END AS days`,
    ...amounts.map(
      (amount) =>
        `CASE WHEN t."${amount}Days" = '{}' THEN '{}' WHEN s.span = 'month' THEN ${one(`t."${amount}"`)} ELSE t."${amount}Days" END AS "${amount}"`,
    ),
  ].join(', ');

/** SQL for the first day of a row, and for its lists in the text format for arrays, which all drivers return in the same form. */
const asText = (amounts: readonly string[]): string =>
  [
    `${dayText('start')} AS start`,
    'days::text AS days',
    ...amounts.map((amount) => `"${amount}"::text AS "${amount}"`),
  ].join(', ');

/** Selection of sums for a series. The parameters of the condition start at $5. */
export type Choice = { readonly where?: string; readonly params?: readonly unknown[] };

/**
 * Reads the sums for a series by bucket and key, including source rows whose amounts haven't been added yet. Omits sums
 * whose amounts are all 0. Runs one SQL statement, which returns one row per month and key with the daily amounts, or
 * the monthly amount for spans of months.
 */
export async function readSums<Keys extends readonly (string | null)[] = readonly string[]>(
  sql: Query,
  source: RowSource,
  sum: Sum,
  { starts, spans }: Spans,
  { where = 'TRUE', params = [] }: Choice = {},
): Promise<BucketSum<Keys>[]> {
  const { table, keys, amounts, rows, type = 'bigint' } = sum;
  const own = keys.map((key) => `t."${key}", `).join('');
  const found = await sql<ListedRow<Keys>>(
    `WITH ${freshFor(source, sum)} SELECT ${[...keys.map((key) => keyText(key)), asText(amounts)].join(', ')}
     FROM (SELECT t.month AS start, ${own}${listsOfSpan(amounts)} FROM ${monthsOfSpans(table, where)}
       UNION ALL SELECT day, ${[...keys.map((key) => `"${key}"`), `'{1}'`, ...amounts.map((amount) => one(`"${amount}"::${type}`))].join(', ')}
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

/** Stored sum that differs from its sources. */
export type SumMismatch = { readonly subject: string; readonly expected: bigint; readonly actual: bigint };

/** SQL that converts 10^-18 of a currency unit to millionths, rounded down. */
export const inMillionths = (amount: string): string => `trunc(${amount} / 1000000000000)`;

/**
 * Query for monthly sums that differ from the total of their daily amounts, as `SumMismatch`. The query's duration is proportional to the
 * number of sums.
 */
function monthMismatches({ table, keys, amounts, type = 'bigint' }: SumTable): string {
  const subject = [monthText('t.month'), ...keys.map((key) => keyText(key, 't.'))];
  const compared = amounts.map(
    (amount) =>
      `SELECT concat_ws(' ', '${table}', '${amount}', ${subject.join(', ')}) AS subject,
         coalesce((SELECT SUM(u.amount) FROM unnest(t."${amount}Days") AS u(amount)), 0)::${type} AS expected, t."${amount}" AS actual
       FROM "${table}" t WHERE t."environmentId" = $1`,
  );
  const [expected, actual] = ['expected', 'actual'].map((amount) =>
    type === 'numeric' ? `${inMillionths(amount)}::bigint AS ${amount}` : amount,
  );
  return `SELECT subject, ${expected}, ${actual} FROM (${compared.join(' UNION ALL ')}) AS c WHERE expected <> actual`;
}

/** Returns the monthly sums of a source that differ from the total of their daily sums. Runs one SQL statement. */
export const readMonthMismatches = (sql: Query, { sums }: Source): Promise<SumMismatch[]> =>
  sql<SumMismatch>(sums.map(monthMismatches).join(' UNION ALL '));

/**
 * Returns the daily sums of a source that differ from the source rows up to the cursor. Runs one SQL statement whose duration is
 * proportional to the number of source rows.
 */
export const readDayMismatches = (
  sql: Query,
  { check: { before, expected, actual } }: RowSource,
): Promise<SumMismatch[]> =>
  sql<SumMismatch>(
    `WITH ${before === '' ? '' : `${before}, `}expected AS (${expected}), actual AS (${actual})
     SELECT subject, coalesce(e.amount, 0)::bigint AS expected, coalesce(a.amount, 0)::bigint AS actual
     FROM (SELECT subject, SUM(amount) AS amount FROM expected GROUP BY 1) e
     FULL JOIN (SELECT subject, SUM(amount) AS amount FROM actual GROUP BY 1) a USING (subject)
     WHERE coalesce(e.amount, 0) <> coalesce(a.amount, 0) ORDER BY 1`,
  );
