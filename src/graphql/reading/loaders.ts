import DataLoader from 'dataloader';
import { type Columns, covers, union } from '../../platform/db/columns.ts';
import { readWindowsBy } from '../../platform/db/row-lists.ts';
import { type Filter, type ModelName, type Row, readBy } from '../../platform/db/rows.ts';
import type { Context } from '../../request/context.ts';
import { Page, pageRows } from './connections.ts';
import { encodeCursor } from './cursors.ts';
import { ListSource } from './list-source.ts';
import { listRequest, type OrderedList, type PageArguments } from './pages.ts';

// Batched reads: one SQL statement per level reads the rows for many parents, with only the required columns. Relations
// (`t.row`, `t.rows`, and `t.page` in `relations.ts`) use these loaders; services use them for computed fields.

/** Returns a cache key for a filter. Empty for a filter without conditions. */
function filterKey(filter: Filter): string {
  for (const name in filter) if (filter[name] !== undefined) return JSON.stringify(filter);
  return '';
}

const columnValue = (row: object, column: string): string => String((row as Record<string, unknown>)[column]);

/** Returns a function that loads the rows for a key with the requested columns. Concurrent loads share one read with all columns that were requested so far. */
export function batchedByColumns<T>(
  read: (keys: readonly string[], columns: Columns) => Promise<(key: string) => T>,
): (key: string, columns: Columns) => Promise<T> {
  const loaded = new Map<string, Columns>();
  let needed: Columns | null = null;
  const loader = new DataLoader<string, T>(async (keys) => {
    const find = await read([...new Set(keys)], needed ?? 'all');
    return keys.map(find);
  });
  return (key, columns) => {
    const before = loaded.get(key);
    if (before !== undefined && covers(before, columns)) return loader.load(key);
    const wanted = before === undefined ? columns : union(before, columns);
    loaded.set(key, wanted);
    if (needed !== wanted) needed = needed === null ? wanted : union(needed, wanted);
    return (before === undefined ? loader : loader.clear(key)).load(key);
  };
}

/** Returns the row with this ID. `null` if the row doesn't exist. Lookups are batched. */
export function loadRow<M extends ModelName>(
  ctx: Context,
  model: M,
  id: string,
  columns: Columns = 'all',
): Promise<Row<M> | null> {
  const load = ctx.once(`row:${model}`, () =>
    batchedByColumns<Row<M> | null>(async (ids, needed) => {
      const read = await readBy(ctx.sql, model, 'id', ids, { columns: union(needed, new Set(['id'])) });
      const rows = new Map(read.map((row) => [columnValue(row as object, 'id'), row]));
      return (wanted) => rows.get(wanted) ?? null;
    }),
  );
  return load(id, columns);
}

/** Returns the row with this ID. Throws if the row doesn't exist, which foreign keys prevent. Lookups are batched. */
export async function loadExistingRow<M extends ModelName>(
  ctx: Context,
  model: M,
  id: string,
  columns: Columns = 'all',
): Promise<Row<M>> {
  const row = await loadRow(ctx, model, id, columns);
  if (row === null) throw new Error(`${model} ${id} is missing.`);
  return row;
}

/** Returns the rows with a column value. */
export type RowsLoader<M extends ModelName> = (value: string) => Promise<Row<M>[]>;

/**
 * Returns a function that loads all rows with a column value that match the filter, in ascending order of `orderBy`.
 * Intended for parents with few children. Lookups are batched.
 */
export function rowsLoader<M extends ModelName>(
  ctx: Context,
  model: M,
  by: string,
  orderBy: string,
  filter: Filter = {},
  columns: Columns = 'all',
): RowsLoader<M> {
  const load = ctx.once(`rows:${model}:${by}:${orderBy}:${filterKey(filter)}`, () =>
    batchedByColumns<Row<M>[]>(async (values, needed) => {
      const read = await readBy(ctx.sql, model, by, values, {
        filter,
        orderBy,
        columns: union(needed, new Set([by])),
      });
      const rows = Map.groupBy(read, (row) => columnValue(row as object, by));
      return (wanted) => rows.get(wanted) ?? [];
    }),
  );
  return (value) => load(value, columns);
}

/** Returns the rows with this column value. Batched like `rowsLoader`. */
export const loadRowsBy = <M extends ModelName>(
  ctx: Context,
  model: M,
  by: string,
  value: string,
  ...options: [orderBy: string, filter?: Filter, columns?: Columns]
): Promise<Row<M>[]> => rowsLoader(ctx, model, by, ...options)(value);

/** Returns the page of rows with a column value. */
export type PageLoader<M extends ModelName> = (value: string) => Promise<Page<Row<M>>>;

/**
 * Returns a function that loads a page of the list rows with a column value. Batched: parents with the same page
 * arguments share one SQL statement. `key` must identify the list if the list has conditions in addition to its filter.
 */
export function pageLoader<M extends ModelName>(
  ctx: Context,
  list: OrderedList<M>,
  by: string,
  args: PageArguments,
  columns: Columns = 'all',
  key = '',
): PageLoader<M> {
  const request = listRequest(list, args);
  const { size, ...window } = request;
  const { first, after, last, before } = args;
  const lists = `${list.model}:${by}:${key}:${filterKey(list.filter ?? {})}`;
  const load = ctx.once(`page:${lists}:${[first, after, last, before].join(':')}`, () =>
    batchedByColumns<Page<Row<M>>>(async (ids, needed) => {
      const read = await readWindowsBy(
        ctx.reads,
        list,
        { by, ids },
        { ...window, limit: size + 1, columns: union(needed, new Set([by])) },
      );
      const rows = Map.groupBy(read, (row) => columnValue(row as object, by));
      const cursorOf = (row: Row<M>) => encodeCursor(list.order, row as object);
      return (id) => {
        const source = () => new ListSource(ctx, list, { by, id, key: lists });
        const shown = pageRows(rows.get(id) ?? [], request, (place, side) => source().has(place, side));
        return new Page(shown, source, cursorOf);
      };
    }),
  );
  return (value) => load(value, columns);
}

/** Returns a page of the list rows with this column value. Batched like `pageLoader`. */
export const loadPageBy = <M extends ModelName>(
  ctx: Context,
  list: OrderedList<M>,
  by: string,
  value: string,
  ...options: [args: PageArguments, columns?: Columns, key?: string]
): Promise<Page<Row<M>>> => pageLoader(ctx, list, by, ...options)(value);
