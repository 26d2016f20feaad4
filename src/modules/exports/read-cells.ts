import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import { encodePlace } from '../../graphql/cursors.ts';
import { type RowTexts, readTexts, valueFromText } from '../../platform/db/row-texts.ts';
import type { Column } from './derive-columns.ts';
import type { ListKind } from './list-kinds.ts';
import {
  listSource,
  placeOf,
  type ReadFrom,
  type RowChunk,
  type RowSet,
  type RowSource,
  rowListOfSet,
} from './read-rows.ts';
import { isConstant, ownColumns, type Shaped, type Shown, shapeOf } from './shape-rows.ts';

// Rows as cells: the texts the database writes of stored columns, column by column. No row becomes an object, and no resolver is asked about one.

/** Rows as texts, and a row with the columns that say the same of all of them. */
export type Cells = { readonly texts: RowTexts; readonly constants: Shown };

/** Whether every column is stored, or says the same of every row, and nothing is read of another row. */
const areCells = (schema: GraphQLSchema, kind: ListKind, columns: readonly Column[]): boolean =>
  kind.joined === undefined &&
  columns.every((column) => column.stored !== null || isConstant(schema, kind, column));

/** The cursor of the last of some rows. */
function cursorOf({ model, order }: ListKind, { count, columns }: RowTexts): string {
  const place = order.keys.map(({ column }) =>
    valueFromText(model, column, columns.get(column)?.values[count - 1] ?? ''),
  );
  return encodePlace(order, place);
}

/**
 * The rows of a list for a file of cells: as texts where every column is stored. A page with a value that texts cannot be told apart by is read like those
 * of other columns: row by row.
 */
export function cellSource(
  schema: GraphQLSchema,
  kind: ListKind,
  columns: readonly Column[],
): RowSource<Cells | Shaped> {
  const byRow = listSource(kind, shapeOf(schema, kind, columns));
  if (!areCells(schema, kind, columns)) return byRow;
  const wanted = ownColumns(kind, columns);
  const constant = shapeOf(
    schema,
    kind,
    columns.filter(({ stored }) => stored === null),
  );
  const read = async (
    ctx: Context,
    set: RowSet,
    { cursor, limit }: ReadFrom,
  ): Promise<RowChunk<Cells | Shaped>> => {
    const after = cursor === null ? null : placeOf(kind, cursor);
    const window = { after, before: null, isReversed: false, limit };
    const texts = await readTexts(ctx.sql, rowListOfSet(kind, set), window, wanted);
    if (texts === null) return byRow.read(ctx, set, { cursor, limit });
    const { rows } = await constant.shaped(ctx, [{}]);
    return {
      read: { texts, constants: rows[0] ?? {} },
      rows: texts.count,
      cursor: texts.count === 0 ? cursor : cursorOf(kind, texts),
      isLast: texts.isLast,
    };
  };
  return { ...byRow, read };
}
