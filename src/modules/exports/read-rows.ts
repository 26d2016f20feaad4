import type { Context } from '../../context.ts';
import { decodeCursor, encodeCursor } from '../../graphql/cursors.ts';
import { type ListArguments, rowListOf } from '../../graphql/list-rows.ts';
import { type Condition, type Place, type RowList, readWindow } from '../../platform/db/row-lists.ts';
import { readBy } from '../../platform/db/rows.ts';
import type { ListKind } from './list-kinds.ts';
import type { Shape, Shaped, Stored } from './shape-rows.ts';
import { countRows } from './store.ts';

/** Which rows of a kind: those that existed at the start and pass a filter evaluated at that time. */
export type RowSet = {
  readonly filter: Readonly<Record<string, unknown>> | null;
  readonly search: string | null;
  readonly snapshot: bigint;
  /** Only rows numbered beyond this. */
  readonly since?: string | null | undefined;
  readonly asOf: Date;
};

/** Rows read in order, and where to go on after them. */
export type RowChunk<Read> = {
  readonly read: Read;
  /** How many there are. */
  readonly rows: number;
  /** The cursor of the last row; that of the row before where none was read. */
  readonly cursor: string | null;
  /** Whether no rows follow. */
  readonly isLast: boolean;
};

/** Where rows come from. */
export type RowSource<Read> = {
  /** Rejects a set that cannot be read, such as a reversed range. */
  readonly check: (ctx: Context, set: RowSet) => Promise<void>;
  /** How many rows there are; null where it is not known, and beyond `most`. */
  readonly count: (ctx: Context, set: RowSet, most: number) => Promise<bigint | null>;
  /** The cursor that an earlier reader means, who sends it or the id of a row. Throws `validation_error` for what is neither. */
  readonly cursorAfter: (ctx: Context, after: string) => Promise<string>;
  /** Reads the next rows of a set, up to `limit`. */
  readonly read: (ctx: Context, set: RowSet, from: ReadFrom) => Promise<RowChunk<Read>>;
};

export type ReadFrom = { readonly cursor: string | null; readonly limit: number };

/** The list with the rows, in the order of the kind. */
export function rowListOfSet(kind: ListKind, { filter, search, snapshot, since, asOf }: RowSet): RowList {
  const { model, list, order, isWithin } = kind;
  const own = kind.filter ?? {};
  const args: ListArguments = { filter, search };
  const rows = list === undefined ? { model, filter: own } : rowListOf(list, args, asOf, own);
  const conditions = 'conditions' in rows ? (rows.conditions ?? []) : [];
  const isNew: Condition[] = since == null ? [] : [(bind) => `NOT (${isWithin(BigInt(since))(bind)})`];
  return { ...rows, order, conditions: [...conditions, isWithin(snapshot), ...isNew] };
}

/** The place a cursor of a kind names. Throws `validation_error` on `after`. */
export const placeOf = ({ model, order }: ListKind, cursor: string): Place =>
  decodeCursor(model, order, cursor, 'after');

/** The cursor of the row with an id; null when there is none. */
async function cursorOfRow(ctx: Context, { model, order }: ListKind, id: string): Promise<string | null> {
  const columns = new Set(order.keys.map(({ column }) => column));
  const [row] = await readBy(ctx.sql, model, 'id', [id], { columns });
  return row === undefined ? null : encodeCursor(order, row as object);
}

/** Reads what rows have of another one, by one statement. */
async function join(ctx: Context, { joined }: ListKind, rows: readonly Stored[]): Promise<readonly Stored[]> {
  if (joined === undefined || rows.length === 0) return rows;
  const { column, model, by } = joined;
  const ids = [...new Set(rows.map((row) => String(row[by])))];
  const read = await readBy(ctx.sql, model, 'id', ids, { columns: new Set(['id', column]) });
  const values = new Map(read.map((row) => [(row as { id: string }).id, (row as Stored)[column]]));
  // The rows are our own, and stay what was read.
  return rows.map((row) => Object.assign(row, { [column]: values.get(String(row[by])) }));
}

/** Reads a chunk of a list. What loaders remembered of rows before is forgotten. */
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

/** The rows of a list, read in an order that an index serves. */
export const listSource = (kind: ListKind, shape: Shape): RowSource<Shaped> => ({
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
  read: (ctx, set, from) => readChunk(ctx, { kind, shape }, set, from),
});
