import type { Context } from '../../context.ts';
import { decodeCursor, encodeCursor } from '../../graphql/cursors.ts';
import { type ListArguments, rowListOf } from '../../graphql/list-rows.ts';
import { type Place, type RowList, readWindow } from '../../platform/db/row-lists.ts';
import { readBy } from '../../platform/db/rows.ts';
import { type Kind, kindOf } from './list-kinds.ts';
import type { Shape, Shaped, Stored } from './shape-rows.ts';

/** Which rows of a kind: those that existed at the start and pass a filter evaluated at that time. */
export type RowSet = {
  readonly kind: string;
  readonly filter: Readonly<Record<string, unknown>> | null;
  readonly search: string | null;
  readonly snapshot: bigint;
  readonly asOf: Date;
};

/** Rows read in order, and where to go on after them. */
export type RowChunk = {
  readonly shaped: Shaped;
  /** The cursor of the last row; that of the row before where none was read. */
  readonly cursor: string | null;
  /** Whether no rows follow. */
  readonly isLast: boolean;
};

/** The list with the rows, in the order of the kind. */
export function rowListOfSet({ kind: name, filter, search, snapshot, asOf }: RowSet): RowList {
  const kind = kindOf(name);
  const { model, list, order, isWithin } = kind;
  const own = kind.filter ?? {};
  const args: ListArguments = { filter, search };
  const rows = list === undefined ? { model, filter: own } : rowListOf(list, args, asOf, own);
  const conditions = 'conditions' in rows ? (rows.conditions ?? []) : [];
  return { ...rows, order, conditions: [...conditions, isWithin(snapshot)] };
}

/** The place a cursor of a kind names. Throws `validation_error` on `after`. */
export const placeOf = ({ model, order }: Kind, cursor: string): Place =>
  decodeCursor(model, order, cursor, 'after');

/** The cursor of the row with an id; null when there is none. */
export async function cursorOfRow(ctx: Context, kind: Kind, id: string): Promise<string | null> {
  const columns = new Set(kind.order.keys.map(({ column }) => column));
  const [row] = await readBy(ctx.sql, kind.model, 'id', [id], { columns });
  return row === undefined ? null : encodeCursor(kind.order, row as object);
}

/** Reads what rows have of another one, by one statement. */
async function join(ctx: Context, { joined }: Kind, rows: readonly Stored[]): Promise<readonly Stored[]> {
  if (joined === undefined || rows.length === 0) return rows;
  const { column, model, by } = joined;
  const ids = [...new Set(rows.map((row) => String(row[by])))];
  const read = await readBy(ctx.sql, model, 'id', ids, { columns: new Set(['id', column]) });
  const values = new Map(read.map((row) => [(row as { id: string }).id, (row as Stored)[column]]));
  // The rows are our own, and stay what was read.
  return rows.map((row) => Object.assign(row, { [column]: values.get(String(row[by])) }));
}

/** Reads the next rows of a set, up to `limit`. What loaders remembered of rows before is forgotten. */
export async function readChunk(
  ctx: Context,
  set: RowSet,
  shape: Shape,
  from: { readonly cursor: string | null; readonly limit: number },
): Promise<RowChunk> {
  const { cursor, limit } = from;
  const kind = kindOf(set.kind);
  const read = await readWindow(ctx.sql, rowListOfSet(set), {
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
    shaped,
    cursor: last === undefined ? cursor : encodeCursor(kind.order, last),
    isLast: read.length <= limit,
  };
}
