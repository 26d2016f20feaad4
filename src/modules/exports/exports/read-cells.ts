import type { GraphQLSchema } from 'graphql';
import { encodePlace } from '../../../graphql/reading/cursors.ts';
import { type RowTexts, readTexts, valueFromText } from '../../../platform/db/row-texts.ts';
import type { Context } from '../../../request/context.ts';
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

// Reads rows that the database formats as text, column by column. Creates no row objects and runs no resolvers.

/** Rows as text, and the values of the constant columns, which are the same in all rows. */
export type Cells = { readonly texts: RowTexts; readonly constants: Shown };

/** True if all columns are database columns or constants, so that no related rows need to be read. */
const areCells = (schema: GraphQLSchema, kind: ListKind, columns: readonly Column[]): boolean =>
  kind.joined === undefined &&
  columns.every((column) => column.stored !== null || isConstant(schema, kind, column));

function cursorOf({ model, order }: ListKind, { count, columns }: RowTexts): string {
  const place = order.keys.map(({ column }) =>
    valueFromText(model, column, columns.get(column)?.values[count - 1] ?? ''),
  );
  return encodePlace(order, place);
}

/**
 * Returns a list's rows as a source for a cell writer. Reads rows as text if possible. If a value contains the separator, or if a column
 * can't be read as text, reads the rows as objects.
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
