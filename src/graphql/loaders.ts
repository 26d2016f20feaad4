import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import { type Columns, covers, union } from '../infra/columns.ts';
import { type Filter, type ModelName, type Position, type Row, readBy, readPagesBy } from '../infra/rows.ts';
import { columnsOf, pageColumnsOf } from './columns.ts';
import { type Page, type PageArguments, pageOf, pageRequest } from './pagination.ts';

// Relations between objects: what many parents ask for at once is read in one statement per level, whatever the page size. A resolver that
// answers rows as they are read hands over its `info`, and only the columns the operation needs are read; without it rows are whole.

/** What tells filters apart; nothing for one that lets everything pass. */
function filterKey(filter: Filter): string {
  for (const name in filter) if (filter[name] !== undefined) return JSON.stringify(filter);
  return '';
}

const columnValue = (row: object, column: string): string => String((row as Record<string, unknown>)[column]);

type Wanted = { readonly key: string; readonly columns: Columns };

/** Answers a function that loads what a key stands for with columns of its rows. Loads that come together are read together, by what all of them need. */
export function batchedByColumns<T>(
  read: (keys: readonly string[], columns: Columns) => Promise<(key: string) => T>,
): (key: string, columns: Columns) => Promise<T> {
  const loaded = new Map<string, Columns>();
  const loader = new DataLoader<Wanted, T, string>(
    async (wanted) => {
      const keys = new Set(wanted.map(({ key }) => key));
      const find = await read([...keys], wanted.map(({ columns }) => columns).reduce(union));
      return wanted.map(({ key }) => find(key));
    },
    { cacheKeyFn: ({ key }) => key },
  );
  return (key, columns) => {
    const before = loaded.get(key);
    if (before !== undefined && covers(before, columns)) return loader.load({ key, columns: before });
    const wanted = { key, columns: before === undefined ? columns : union(before, columns) };
    loaded.set(key, wanted.columns);
    return before === undefined ? loader.load(wanted) : loader.clear(wanted).load(wanted);
  };
}

/** The row with this id, or null. Batched. */
export function loadRow<M extends ModelName>(context: Context, model: M, id: string, info?: GraphQLResolveInfo): Promise<Row<M> | null> {
  const load = context.once(`row:${model}`, () =>
    batchedByColumns<Row<M> | null>(async (ids, columns) => {
      const read = await readBy(context.sql, model, 'id', ids, { columns: union(columns, new Set(['id'])) });
      const rows = new Map(read.map((row) => [columnValue(row as object, 'id'), row]));
      return (wanted) => rows.get(wanted) ?? null;
    }),
  );
  return load(id, info === undefined ? 'all' : columnsOf(info));
}

/** The row with this id. Throws when it is missing: a foreign key promises it. Batched. */
export async function loadExistingRow<M extends ModelName>(
  context: Context,
  model: M,
  id: string,
  info?: GraphQLResolveInfo,
): Promise<Row<M>> {
  const row = await loadRow(context, model, id, info);
  if (row === null) throw new Error(`${model} ${id} is missing.`);
  return row;
}

/** All rows whose column has this value and that pass the filter, ascending by `orderBy`. For children that are few per parent. Batched. */
export function loadRowsBy<M extends ModelName>(
  context: Context,
  model: M,
  by: string,
  value: string,
  orderBy: string,
  filter: Filter = {},
  info?: GraphQLResolveInfo,
): Promise<Row<M>[]> {
  const load = context.once(`rows:${model}:${by}:${orderBy}:${filterKey(filter)}`, () =>
    batchedByColumns<Row<M>[]>(async (values, columns) => {
      const read = await readBy(context.sql, model, by, values, { filter, orderBy, columns: union(columns, new Set([by])) });
      const rows = Map.groupBy(read, (row) => columnValue(row as object, by));
      return (wanted) => rows.get(wanted) ?? [];
    }),
  );
  return load(value, info === undefined ? 'all' : columnsOf(info));
}

/** A page of the rows whose column has this value, newest first. Batched: parents that ask for the same page share one statement. */
export function loadPageBy<M extends ModelName>(
  context: Context,
  model: M,
  by: string,
  value: string,
  args: PageArguments,
  filter: Filter = {},
  info?: GraphQLResolveInfo,
): Promise<Page<Row<M> & Position>> {
  const { size, after } = pageRequest(args);
  const key = `page:${model}:${by}:${size}:${args.after ?? ''}:${filterKey(filter)}`;
  const load = context.once(key, () =>
    batchedByColumns<Page<Row<M> & Position>>(async (values, columns) => {
      const request = { filter, after, limit: size + 1, columns: union(columns, new Set([by])) };
      const read = (await readPagesBy(context.sql, model, by, values, request)) as (Row<M> & Position)[];
      const rows = Map.groupBy(read, (row) => columnValue(row, by));
      return (wanted) => pageOf(rows.get(wanted) ?? [], size);
    }),
  );
  return load(value, info === undefined ? 'all' : pageColumnsOf(info));
}
