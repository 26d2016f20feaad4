import type { Query } from './pool.ts';
import { beyond, orderText, type Parents, type Place, type RowList, Statement, typeOf } from './row-lists.ts';
import { column } from './rows.ts';

// Aggregates of lists that don't return rows: existence, count, page boundaries and sums. Each SQL statement covers a
// list, or the lists of several parents.

/** Result for the list of one parent row. `parent` is empty if the list has no parent. */
type OfParent<T> = T & { readonly parent: string };

/**
 * Returns whether a list has rows at a position or on the given side of it. Executes one SQL statement for all parents.
 */
export function readExistence(
  sql: Query,
  list: RowList,
  parents: Parents | null,
  { place, side }: { readonly place: Place; readonly side: 'after' | 'before' },
): Promise<OfParent<{ found: boolean }>[]> {
  const statement = new Statement();
  const text = statement.forEach(
    parents,
    () =>
      `SELECT EXISTS (SELECT FROM "${list.model}" t WHERE ${statement.where(list, parents?.by ?? null, [beyond(list, place, side, '=')])}) AS found`,
  );
  return sql(text, statement.params);
}

/** Returns the number of rows in a list, up to `limit`. Executes one SQL statement for all parents. */
export function readCounts(
  sql: Query,
  list: RowList,
  parents: Parents | null,
  limit: number,
): Promise<OfParent<{ count: bigint }>[]> {
  const statement = new Statement();
  const text = statement.forEach(
    parents,
    () =>
      `SELECT count(*) AS count FROM (SELECT FROM "${list.model}" t WHERE ${statement.where(list, parents?.by ?? null)} LIMIT ${statement.bind(limit)}) AS counted`,
  );
  return sql(text, statement.params);
}

/** Position of a row, as the values `k0`, `k1`, … of its sort keys, or the number of rows. */
export type Mark = Readonly<Record<`k${number}`, unknown>> & { readonly count: bigint | null };

/**
 * Returns the start positions of further pages of n rows, and the number of rows. Reads up to `limit` rows. Executes
 * one SQL statement for all parents.
 */
export function readMarks(
  sql: Query,
  list: RowList,
  parents: Parents | null,
  { every, limit }: { readonly every: number; readonly limit: number },
): Promise<OfParent<Mark>[]> {
  const statement = new Statement();
  const { keys } = list.order;
  const order = orderText(list, false);
  const columns = keys.map(({ column: name }, index) => `t.${column(list.model, name)} AS k${index}`);
  const places = keys.map((_key, index) => `k${index}`);
  const nulls = keys.map(({ column: name }) => `NULL::${typeOf(list.model, name)}`);
  const text = statement.forEach(
    parents,
    () => `WITH numbered AS MATERIALIZED (
       SELECT ${columns.join(', ')}, row_number() OVER (ORDER BY ${order}) AS place FROM "${list.model}" t
       WHERE ${statement.where(list, parents?.by ?? null)} ORDER BY ${order} LIMIT ${statement.bind(limit)}),
     counted AS (SELECT count(*) AS count FROM numbered)
     SELECT ${places.join(', ')}, NULL::bigint AS count, place FROM numbered, counted
     WHERE place % ${statement.bind(every)} = 0 AND place < counted.count
     UNION ALL SELECT ${nulls.join(', ')}, count, NULL::bigint FROM counted ORDER BY place`,
  );
  return sql(text, statement.params);
}

/** Sum of a column in a group. Optionally subtracts other columns and only includes rows that meet a condition. */
export type Sum = {
  readonly column: string;
  readonly less?: readonly string[];
  readonly where?: string;
  readonly reads?: readonly string[];
};

/**
 * Returns groups of rows with counts and sums. Reads up to `limit` rows per parent. Executes one SQL statement for all
 * parents.
 */
export function readGroups(
  sql: Query,
  list: RowList,
  parents: Parents | null,
  { by, sums, limit }: { by: readonly string[]; sums: Readonly<Record<string, Sum>>; limit: number },
): Promise<OfParent<Record<string, unknown> & { count: bigint }>[]> {
  const statement = new Statement();
  const read = Object.values(sums).flatMap(({ column: of, less = [], reads = [] }) => [
    of,
    ...less,
    ...reads,
  ]);
  const used = new Set([...by, ...read]);
  const columns = [...used].map((name) => `t.${column(list.model, name)}`).join(', ');
  const groups = by.map((name) => `t.${column(list.model, name)}`).join(', ');
  const summed = Object.entries(sums).map(
    ([name, { column: of, less = [], where }]) =>
      `coalesce(sum(t.${column(list.model, of)}${less.map((one) => ` - t.${column(list.model, one)}`).join('')})${where === undefined ? '' : ` FILTER (WHERE ${where})`}, 0)::bigint AS "${name}"`,
  );
  const text = statement.forEach(
    parents,
    () =>
      `SELECT ${[groups, 'count(*) AS count', ...summed].join(', ')} FROM (SELECT ${columns} FROM "${list.model}" t WHERE ${statement.where(list, parents?.by ?? null)} LIMIT ${statement.bind(limit)}) AS t GROUP BY ${groups} ORDER BY ${groups}`,
  );
  return sql(text, statement.params);
}

/**
 * Returns rows that are derived from all rows of a list. `derive` returns a SELECT for an SQL expression that contains the rows' IDs. Reads
 * up to `limit` rows of the list. Executes one SQL statement.
 */
export function readDerived<T>(
  sql: Query,
  list: RowList,
  derive: (ids: string) => string,
  limit: number,
): Promise<T[]> {
  const statement = new Statement();
  const rows = `SELECT t.id FROM "${list.model}" t WHERE ${statement.where(list, null)} LIMIT ${statement.bind(limit)}`;
  return sql<T>(
    `SELECT derived.* FROM (SELECT array_agg(t.id) AS ids FROM (${rows}) AS t) AS listed CROSS JOIN LATERAL (${derive('listed.ids')}) AS derived`,
    statement.params,
  );
}
