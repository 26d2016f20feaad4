import type { GraphQLSchema } from 'graphql';
import { validationError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import type { Column } from './derive-columns.ts';
import type { SeriesKind } from './list-series.ts';
import { readRootField } from './read-root-field.ts';
import type { RowSet, RowSource } from './read-rows.ts';
import type { Shaped, Shown } from './shape-rows.ts';
import { valueAt } from './write-cells.ts';

/** Returns the rows nested in an element, each merged with the fields of the element. */
function rowsBelow(element: Shown, [next, ...below]: readonly string[]): Shown[] {
  if (next === undefined) return [element];
  const { [next]: list, ...own } = element;
  return (list as readonly Shown[]).flatMap((inner) => rowsBelow({ ...own, ...inner }, below));
}

/** Returns a row with only the given columns. */
function chosenOf(row: Shown, columns: readonly Column[]): Shown {
  const chosen: Shown = {};
  for (const { path } of columns) {
    const last = path.at(-1) ?? '';
    let holder = chosen;
    for (const name of path.slice(0, -1)) {
      holder[name] ??= {};
      holder = holder[name] as Shown;
    }
    holder[last] = valueAt(row, path);
  }
  return chosen;
}

/**
 * Returns a source for a series' rows. The root field limits the number of rows, so all rows form one chunk.
 */
export function seriesSource(
  schema: GraphQLSchema,
  kind: SeriesKind,
  columns: readonly Column[],
  isChosen: boolean,
): RowSource<Shaped> {
  const rowsOf = async (ctx: Context, { filter }: Pick<RowSet, 'filter'>): Promise<Shown[]> => {
    const elements = await readRootField(ctx, schema, kind, filter ?? {});
    return elements.flatMap((element) => rowsBelow(element, kind.rows));
  };
  return {
    check: async (ctx, set) => void (await rowsOf(ctx, set)),
    count: async () => null,
    cursorAfter: async () => {
      throw validationError([
        {
          field: 'after',
          message: "isn't supported because a series is always exported as a whole. Remove the cursor",
        },
      ]);
    },
    read: async (ctx, set, { cursor }) => {
      const rows = await rowsOf(ctx, set);
      const currencies = rows.map((row) => String(row['currency'] ?? 'usd'));
      const shown = isChosen ? rows.map((row) => chosenOf(row, columns)) : rows;
      return { read: { rows: shown, currencies }, rows: shown.length, cursor, isLast: true };
    },
  };
}
