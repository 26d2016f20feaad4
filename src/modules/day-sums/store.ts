import { type Day, midnightOf, type SpanOfSums } from '../../domain/metrics/range.ts';

// The statements that sums of days and months have in common. In all of them the environment is $1.

/** A table of sums: what its rows are told apart by beside their days, and what is added up. */
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

const added = (amounts: readonly string[]): string =>
  amounts.map((amount) => `SUM("${amount}")::bigint AS "${amount}"`).join(', ');

const dayText = (column: string): string => `to_char("${column}" AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

/** A column of a key as text. A group may have any length and any characters. */
const keyText = (key: string): string =>
  key.toLowerCase().endsWith('day')
    ? dayText(key)
    : key === 'groupKey'
      ? 'md5("groupKey")'
      : `"${key}"::text`;

/** Adds rows, each with its day, to the sums of their days and months. */
export function folding({ table, keys, amounts }: SumTable, rows: string): string {
  const told = ['span', 'day', ...keys];
  return `INSERT INTO "${table}" ("environmentId", id, ${quoted(told)}, ${quoted(amounts)})
    SELECT $1, concat_ws(' ', span, ${['day', ...keys].map(keyText).join(', ')}), ${quoted(told)}, ${added(amounts)}
    FROM (SELECT s.span, s.day, ${quoted([...keys, ...amounts], 'r.')} FROM (${rows}) AS r
      CROSS JOIN LATERAL (VALUES ('day', r.day), ('month', date_trunc('month', r.day, 'UTC'))) AS s(span, day)) AS r
    GROUP BY ${quoted(told)}
    ON CONFLICT ("environmentId", id) DO UPDATE SET ${amounts.map((amount) => `"${amount}" = "${table}"."${amount}" + EXCLUDED."${amount}"`).join(', ')}`;
}

/** The parameters of a read: its spans as $2 to $4, and the first days of its buckets as $5. */
export const spanParameters = (spans: readonly SpanOfSums[], starts: readonly Day[]): unknown[] => [
  spans.map(({ span }) => span),
  spans.map(({ from }) => midnightOf(from)),
  spans.map(({ to }) => midnightOf(to)),
  starts.map(midnightOf),
];

/** The place of the bucket a row lies in, from 0. */
export const bucketOf = 'width_bucket(day, $5::timestamptz[]) - 1';

/**
 * The sums of the spans of a read, and rows that are not added up yet, together as `r`. `where` limits both, by keys that an index of the table begins
 * with if it can.
 */
export function summed({ table, keys, amounts }: SumTable, rows: string, where = 'TRUE'): string {
  const columns = quoted([...keys, ...amounts]);
  return `(SELECT t.day, ${quoted([...keys, ...amounts], 't.')}
      FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS s(span, "from", "to") CROSS JOIN LATERAL (
        SELECT day, ${columns} FROM "${table}" WHERE "environmentId" = $1 AND ${where} AND span = s.span AND day BETWEEN s."from" AND s."to" OFFSET 0) AS t
    UNION ALL SELECT day, ${columns} FROM (${rows}) AS waiting
    WHERE ${where} AND day BETWEEN ($3::timestamptz[])[1] AND ($4::timestamptz[])[array_length($4::timestamptz[], 1)]) AS r`;
}

/** The sums of all days and rows that are not added up yet, together as `r`; `where` limits both. No parameters but the environment. */
export function summedDays({ table, keys, amounts }: SumTable, rows: string, where = 'TRUE'): string {
  const columns = quoted([...keys, ...amounts]);
  return `(SELECT day, ${columns} FROM "${table}" WHERE "environmentId" = $1 AND span = 'day' AND ${where}
    UNION ALL SELECT day, ${columns} FROM (${rows}) AS waiting WHERE ${where}) AS r`;
}

/** The columns of what `mismatching` finds: where two sums differ, and both. */
export type SumMismatch = { readonly subject: string; readonly expected: bigint; readonly actual: bigint };

/**
 * Where sums of months are not those of their days, as a query of `SumMismatch`. Costs time in proportion to all sums.
 */
export function monthMismatches({ table, keys, amounts }: SumTable): string {
  const groups = ["date_trunc('month', day, 'UTC')", ...quoted(keys).split(', ')].filter((key) => key !== '');
  const compared = amounts.map(
    (amount) =>
      `SELECT '${table}' AS name, '${amount}' AS figure, concat_ws(' ', to_char(date_trunc('month', day, 'UTC') AT TIME ZONE 'UTC', 'YYYY-MM')${keys.map((key) => `, ${key.toLowerCase().endsWith('day') ? dayText(key) : `"${key}"::text`}`).join('')}) AS subject,
         coalesce(SUM("${amount}") FILTER (WHERE span = 'day'), 0) AS expected, coalesce(SUM("${amount}") FILTER (WHERE span = 'month'), 0) AS actual
       FROM "${table}" WHERE "environmentId" = $1 GROUP BY ${groups.join(', ')}`,
  );
  return `SELECT concat_ws(' ', name, figure, subject) AS subject, expected::bigint, actual::bigint
    FROM (${compared.join(' UNION ALL ')}) AS c WHERE expected <> actual`;
}
