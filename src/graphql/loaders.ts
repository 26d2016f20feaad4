import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import { type Filter, type ModelName, type Position, type Row, readBy, readPagesBy } from '../infra/rows.ts';
import { type Page, type PageArguments, pageOf, pageRequest } from './pagination.ts';

// Relations between objects: what many parents ask for at once is read in one statement per level, whatever the page size.

const columnValue = (row: object, column: string): string => String((row as Record<string, unknown>)[column]);

/** The row with this id, or null. Batched. */
export function loadRow<M extends ModelName>(context: Context, model: M, id: string): Promise<Row<M> | null> {
  const loader = context.once(`row:${model}`, () => {
    return new DataLoader<string, Row<M> | null>(async (ids) => {
      const rows = new Map((await readBy(context.sql, model, 'id', ids)).map((row) => [columnValue(row as object, 'id'), row]));
      return ids.map((wanted) => rows.get(wanted) ?? null);
    });
  });
  return loader.load(id);
}

/** The row with this id. Throws when it is missing: a foreign key promises it. Batched. */
export async function loadExistingRow<M extends ModelName>(context: Context, model: M, id: string): Promise<Row<M>> {
  const row = await loadRow(context, model, id);
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
): Promise<Row<M>[]> {
  const loader = context.once(`rows:${model}:${by}:${orderBy}:${JSON.stringify(filter)}`, () => {
    return new DataLoader<string, Row<M>[]>(async (values) => {
      const rows = Map.groupBy(await readBy(context.sql, model, by, values, orderBy, filter), (row) => columnValue(row as object, by));
      return values.map((wanted) => rows.get(wanted) ?? []);
    });
  });
  return loader.load(value);
}

/** A page of the rows whose column has this value, newest first. Batched: parents that ask for the same page share one statement. */
export function loadPageBy<M extends ModelName>(
  context: Context,
  model: M,
  by: string,
  value: string,
  args: PageArguments,
  filter: Filter = {},
): Promise<Page<Row<M> & Position>> {
  const { size, after } = pageRequest(args);
  const key = `page:${model}:${by}:${size}:${args.after ?? ''}:${JSON.stringify(filter)}`;
  const loader = context.once(key, () => {
    return new DataLoader<string, Page<Row<M> & Position>>(async (values) => {
      const read = await readPagesBy(context.sql, model, by, values, { filter, after, limit: size + 1 });
      const rows = Map.groupBy(read as (Row<M> & Position)[], (row) => columnValue(row, by));
      return values.map((wanted) => pageOf(rows.get(wanted) ?? [], size));
    });
  });
  return loader.load(value);
}
