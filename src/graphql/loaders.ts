import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import { type Columns, covers, union } from '../platform/db/columns.ts';
import { readWindowsBy } from '../platform/db/row-lists.ts';
import { type Filter, type ModelName, type Row, readBy } from '../platform/db/rows.ts';
import { Page, pageRows } from './connections.ts';
import { encodeCursor } from './cursors.ts';
import { ListSource } from './list-source.ts';
import { listRequest, type OrderedList, type PageArguments } from './pages.ts';

// Batched reads: what many parents ask for at once is read in one statement per level, whatever the page size, and only the columns that are
// named. Relations are declared with `t.row`, `t.rows` and `t.page` (`relations.ts`), which read through here; computed fields call it in services.

/** What tells filters apart; nothing for one that lets everything pass. */
function filterKey(filter: Filter): string {
  for (const name in filter) if (filter[name] !== undefined) return JSON.stringify(filter);
  return '';
}

const columnValue = (row: object, column: string): string => String((row as Record<string, unknown>)[column]);

type Wanted = { readonly key: string; readonly columns: Columns };

/** Returns a function that loads the rows of a key with some of their columns. Loads that come together are read together, by what all of them need. */
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

/** The row with this id. Throws when it is missing: a foreign key promises it. Batched. */
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

/** All rows whose column has this value and that pass the filter, ascending by `orderBy`. For children that are few per parent. Batched. */
export function loadRowsBy<M extends ModelName>(
  ctx: Context,
  model: M,
  by: string,
  value: string,
  orderBy: string,
  filter: Filter = {},
  columns: Columns = 'all',
): Promise<Row<M>[]> {
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
  return load(value, columns);
}

/**
 * A page of the rows of a list whose column has this value. Batched: parents that ask for the same page share one statement. `key` names the
 * list where its conditions are more than its filter.
 */
export function loadPageBy<M extends ModelName>(
  ctx: Context,
  list: OrderedList<M>,
  by: string,
  value: string,
  args: PageArguments,
  columns: Columns = 'all',
  key = '',
): Promise<Page<Row<M>>> {
  const request = listRequest(list, args);
  const { size, ...window } = request;
  const { first, after, last, before } = args;
  const lists = `${list.model}:${by}:${key}:${filterKey(list.filter ?? {})}`;
  const load = ctx.once(`page:${lists}:${[first, after, last, before].join(':')}`, () =>
    batchedByColumns<Page<Row<M>>>(async (ids, needed) => {
      const read = await readWindowsBy(
        ctx.sql,
        list,
        { by, ids },
        { ...window, limit: size + 1, columns: union(needed, new Set([by])) },
      );
      const rows = Map.groupBy(read, (row) => columnValue(row as object, by));
      return (id) => {
        const source = new ListSource(ctx, list, { by, id, key: lists });
        const shown = pageRows(rows.get(id) ?? [], request, (place, side) => source.has(place, side));
        return new Page(shown, source, (row) => encodeCursor(list.order, row as object));
      };
    }),
  );
  return load(value, columns);
}
