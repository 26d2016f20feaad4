import type { Query } from './pool.ts';
import { beyond, orderText, type Parents, type Place, type RowList, Statement, typeOf } from './row-lists.ts';
import { column } from './rows.ts';

// What is told about lists without reading their rows: whether there are any, how many, where pages begin, and sums. Each statement is about one
// list, or about the lists of many parents.

/** The answer about the list of one parent; `parent` is empty where there are no parents. */
type OfParent<T> = T & { readonly parent: string };

/** Whether a list has rows at a place or beyond it, on the side named. One statement for all parents. */
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

/** How many rows a list has, counted up to `limit`. One statement for all parents. */
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

/** The place of a row, under `k0`, `k1` …, or the number of rows that were read. */
export type Mark = Readonly<Record<`k${number}`, unknown>> & { readonly count: bigint | null };

/** The places of every n-th of up to `limit` rows, but for the last row, and how many rows there are. One statement for all parents. */
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

/** A sum of the rows of a group: of a column, of those rows that pass a condition. */
export type Sum = { readonly column: string; readonly where?: string };

/** Groups of the rows of a list by the values of columns, with their number and sums. One statement for all parents, which reads up to `limit` rows of each. */
export function readGroups(
  sql: Query,
  list: RowList,
  parents: Parents | null,
  { by, sums, limit }: { by: readonly string[]; sums: Readonly<Record<string, Sum>>; limit: number },
): Promise<OfParent<Record<string, unknown> & { count: bigint }>[]> {
  const statement = new Statement();
  const used = new Set([...by, ...Object.values(sums).map((sum) => sum.column)]);
  const columns = [...used].map((name) => `t.${column(list.model, name)}`).join(', ');
  const groups = by.map((name) => `t.${column(list.model, name)}`).join(', ');
  const summed = Object.entries(sums).map(
    ([name, { column: of, where }]) =>
      `coalesce(sum(t.${column(list.model, of)})${where === undefined ? '' : ` FILTER (WHERE ${where})`}, 0)::bigint AS "${name}"`,
  );
  const text = statement.forEach(
    parents,
    () =>
      `SELECT ${[groups, 'count(*) AS count', ...summed].join(', ')} FROM (SELECT ${columns} FROM "${list.model}" t WHERE ${statement.where(list, parents?.by ?? null)} LIMIT ${statement.bind(limit)}) AS t GROUP BY ${groups} ORDER BY ${groups}`,
  );
  return sql(text, statement.params);
}
