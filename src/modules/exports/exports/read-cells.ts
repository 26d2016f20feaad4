import type { GraphQLSchema } from 'graphql';
import { encodePlace } from '../../../graphql/reading/cursors.ts';
import { type RowTexts, readTexts, valueFromText } from '../../../platform/db/row-texts.ts';
import type { Column } from './derive-columns.ts';
import type { ListKind } from './list-kinds.ts';
import { placeOf, type RowSource, rowListOfSet, selectionOf } from './read-rows.ts';
import { isConstant, ownColumns, type Shown, shapeOf } from './shape-rows.ts';

// Reads rows that the database formats as text, column by column. Creates no row objects and runs no resolvers.

/** Rows as text, and the values of the constant columns, which are the same in all rows. */
export type Cells = { readonly texts: RowTexts; readonly constants: Shown };

/**
 * True if a list's rows can be read as text: all columns are database columns or constants, so no resolver computes a value, and no related
 * rows need to be read.
 */
export const areCells = (schema: GraphQLSchema, kind: ListKind, columns: readonly Column[]): boolean =>
  kind.joined === undefined &&
  columns.every((column) => column.stored !== null || isConstant(schema, kind, column));

function cursorOf({ model, order }: ListKind, { count, columns }: RowTexts): string {
  const place = order.keys.map(({ column }) =>
    valueFromText(model, column, columns.get(column)?.values[count - 1] ?? ''),
  );
  return encodePlace(order, place);
}

/** Returns a list's rows as a source of text. `areCells` must be true for the columns. */
export function cellSource(
  schema: GraphQLSchema,
  kind: ListKind,
  columns: readonly Column[],
): RowSource<Cells> {
  const wanted = ownColumns(kind, columns);
  const constant = shapeOf(
    schema,
    kind,
    columns.filter(({ stored }) => stored === null),
  );
  return {
    ...selectionOf(kind),
    read: async (ctx, set, { cursor, limit }) => {
      const after = cursor === null ? null : placeOf(kind, cursor);
      const window = { after, before: null, isReversed: false, limit };
      const { isLast, ...texts } = await readTexts(ctx.sql, rowListOfSet(kind, set), window, wanted);
      const { rows } = await constant.shaped(ctx, [{}]);
      return {
        read: { texts, constants: rows[0] ?? {} },
        rows: texts.count,
        cursor: texts.count === 0 ? cursor : cursorOf(kind, texts),
        isLast,
      };
    },
  };
}
