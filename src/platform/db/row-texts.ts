import { selectionOf } from './columns.ts';
import type { Query } from './pool.ts';
import { type RowList, typeOf, type Window, windowStatement } from './row-lists.ts';
import type { ModelName } from './rows.ts';
import { readTimestamp } from './timestamps.ts';

// Rows as texts: every column of a page of rows is one value of the answer. The driver then reads as many values as there are columns, where it
// would read one for each cell, and no object is made of a row.

/** What stands between the values of a column: the unit separator of ASCII. */
export const separator = '\u001F';

/** The values a column has in the rows of a page, as the database writes them; one that is null is empty. */
export type ColumnTexts = {
  /** All of them, with the separator between. */
  readonly joined: string;
  readonly values: readonly string[];
};

/** A page of rows: how many, and their columns by name. */
export type RowTexts = {
  readonly count: number;
  readonly columns: ReadonlyMap<string, ColumnTexts>;
};

/** The page without the rows behind the first so many. */
function upTo(joined: string, values: readonly string[], count: number): ColumnTexts {
  if (values.length <= count) return { joined, values };
  const kept = values.slice(0, count);
  return { joined: kept.join(separator), values: kept };
}

/**
 * The columns of the rows of a window, and whether rows follow it. One statement, whose answer is one row. Null where a value has the separator in it, so
 * that values cannot be told apart.
 */
export async function readTexts(
  sql: Query,
  list: RowList,
  { limit, ...window }: Omit<Window, 'columns'>,
  columns: ReadonlySet<string>,
): Promise<(RowTexts & { readonly isLast: boolean }) | null> {
  const { list: read } = selectionOf(list.model, columns);
  const { text, params } = windowStatement(list, { ...window, limit: limit + 1 }, read);
  const names = [...columns];
  const joined = names.map(
    (name, index) => `string_agg(coalesce(t."${name}"::text, ''), chr(31)) AS "${index}"`,
  );
  const [row] = await sql<{ count: number; [index: string]: unknown }>(
    `SELECT count(*)::int AS count, ${joined.join(', ')} FROM (${text}) AS t`,
    params,
  );
  if (row === undefined || row.count === 0)
    return { count: 0, columns: new Map(names.map((name) => [name, nothing])), isLast: true };
  const count = Math.min(row.count, limit);
  const page = new Map<string, ColumnTexts>();
  for (const [index, name] of names.entries()) {
    const all = String(row[index]);
    const values = all.split(separator);
    if (values.length !== row.count) return null;
    page.set(name, upTo(all, values, count));
  }
  return { count, columns: page, isLast: row.count <= limit };
}

const nothing: ColumnTexts = { joined: '', values: [] };

/** The value of a column that the database writes like this, as a statement about the row answers it. For columns that rows are sorted by. */
export function valueFromText(model: ModelName, name: string, text: string): unknown {
  const type = typeOf(model, name);
  if (type === 'timestamptz') return readTimestamp(text);
  if (type === 'bigint') return BigInt(text);
  return type === 'integer' ? Number(text) : text;
}
