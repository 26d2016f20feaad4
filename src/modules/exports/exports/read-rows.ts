import { decodeCursor, encodeCursor } from '../../../graphql/reading/cursors.ts';
import { type ListArguments, rowListOf } from '../../../graphql/reading/list-rows.ts';
import { type Condition, type Place, type RowList, readWindow } from '../../../platform/db/row-lists.ts';
import { readBy } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import type { ListKind } from './list-kinds.ts';
import type { Shape, Shaped, Stored } from './shape-rows.ts';
import { countRows } from './store.ts';

/** Selection of rows: the rows that existed at the start of the export and matched the filter at that time. */
export type RowSet = {
  readonly filter: Readonly<Record<string, unknown>> | null;
  readonly search: string | null;
  readonly snapshot: bigint;
  /** Sequence number of the last excluded row. Only later rows are included. */
  readonly since?: string | null | undefined;
  readonly asOf: Date;
};

/** Chunk of rows in the order of the export, with the cursor for reading the next chunk. */
export type RowChunk<Read> = {
  readonly read: Read;
  readonly rows: number;
  /** Cursor of the last row in the chunk. The cursor of the previous chunk if the chunk has no rows. */
  readonly cursor: string | null;
  readonly isLast: boolean;
};

export type RowSource<Read> = {
  /** Throws if the selection is invalid, for example because its date range is reversed. */
  readonly check: (ctx: Context, set: RowSet) => Promise<void>;
  /** Counts the rows of the selection. `null` if the count is unknown or exceeds `most`. */
  readonly count: (ctx: Context, set: RowSet, most: number) => Promise<bigint | null>;
  /** Returns the cursor for a row ID or a cursor from an earlier request. Throws `validation_error` if the value is invalid. */
  readonly cursorAfter: (ctx: Context, after: string) => Promise<string>;
  /** Reads the next rows in the selection, up to `limit`. */
  readonly read: (ctx: Context, set: RowSet, from: ReadFrom) => Promise<RowChunk<Read>>;
};

export type ReadFrom = { readonly cursor: string | null; readonly limit: number };

/** Returns the row list for a selection, in the order that its export type defines. */
export function rowListOfSet(kind: ListKind, { filter, search, snapshot, since, asOf }: RowSet): RowList {
  const { model, list, order, isWithin } = kind;
  const own = kind.filter ?? {};
  const args: ListArguments = { filter, search };
  const rows = list === undefined ? { model, filter: own } : rowListOf(list, args, asOf, own);
  const conditions = 'conditions' in rows ? (rows.conditions ?? []) : [];
  const isNew: Condition[] = since == null ? [] : [(bind) => `NOT (${isWithin(BigInt(since))(bind)})`];
  return { ...rows, order, conditions: [...conditions, isWithin(snapshot), ...isNew] };
}

/** Decodes a cursor. Throws `validation_error` on `after` if it's invalid. */
export const placeOf = ({ model, order }: ListKind, cursor: string): Place =>
  decodeCursor(model, order, cursor, 'after');

/** Returns the cursor for the row with this ID. `null` if the row doesn't exist. */
async function cursorOfRow(ctx: Context, { model, order }: ListKind, id: string): Promise<string | null> {
  const columns = new Set(order.keys.map(({ column }) => column));
  const [row] = await readBy(ctx.sql, model, 'id', [id], { columns });
  return row === undefined ? null : encodeCursor(order, row as object);
}

/** Adds the export type's joined column, which contains values of related rows. Runs one SQL statement. */
async function join(ctx: Context, { joined }: ListKind, rows: readonly Stored[]): Promise<readonly Stored[]> {
  if (joined === undefined || rows.length === 0) return rows;
  const { column, model, by } = joined;
  const ids = [...new Set(rows.map((row) => String(row[by])))];
  const read = await readBy(ctx.sql, model, 'id', ids, { columns: new Set(['id', column]) });
  const values = new Map(read.map((row) => [(row as { id: string }).id, (row as Stored)[column]]));
  // Only this function uses these row objects, so modifying them is safe.
  return rows.map((row) => Object.assign(row, { [column]: values.get(String(row[by])) }));
}

/** Reads a chunk of a list, and clears the caches of the loaders, which would otherwise grow during the export. */
async function readChunk(
  ctx: Context,
  { kind, shape }: { readonly kind: ListKind; readonly shape: Shape },
  set: RowSet,
  { cursor, limit }: ReadFrom,
): Promise<RowChunk<Shaped>> {
  const read = await readWindow(ctx.sql, rowListOfSet(kind, set), {
    after: cursor === null ? null : placeOf(kind, cursor),
    before: null,
    isReversed: false,
    limit: limit + 1,
    columns: shape.needs,
  });
  const rows = await join(ctx, kind, (read as readonly Stored[]).slice(0, limit));
  const last = rows.at(-1);
  const shaped = await shape.shaped(ctx, rows);
  ctx.forget();
  return {
    read: shaped,
    rows: rows.length,
    cursor: last === undefined ? cursor : encodeCursor(kind.order, last),
    isLast: read.length <= limit,
  };
}

/** Returns the parts of a list's source that don't read the exported columns. */
export const selectionOf = (kind: ListKind): Omit<RowSource<unknown>, 'read'> => ({
  check: async (_ctx, set) => {
    for (const condition of rowListOfSet(kind, set).conditions ?? []) condition(() => '$2');
  },
  count: (ctx, set, most) => countRows(ctx.sql, rowListOfSet(kind, set), most),
  cursorAfter: async (ctx, after) => {
    const cursor = await cursorOfRow(ctx, kind, after);
    if (cursor !== null) return cursor;
    placeOf(kind, after);
    return after;
  },
});

/** Source for a list's rows, read in an order that an index supports. */
export const listSource = (kind: ListKind, shape: Shape): RowSource<Shaped> => ({
  ...selectionOf(kind),
  read: (ctx, set, from) => readChunk(ctx, { kind, shape }, set, from),
});
