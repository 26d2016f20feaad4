import { selectionOf } from './columns.ts';
import type { Query } from './pool.ts';
import { type RowList, typeOf, type Window, windowStatement } from './row-lists.ts';
import type { ModelName } from './rows.ts';
import { readTimestamp } from './timestamps.ts';

// Reads rows as text. Each column on a page is returned as one joined string, so the driver parses one value per column instead of one per
// cell.

/** Separator between values in a joined string (ASCII unit separator). */
export const separator = '\u001F';

/** Values of a column on a page, in PostgreSQL's text format. Null becomes an empty string. */
export type ColumnTexts = {
  /** All values of the column, joined by the separator. */
  readonly joined: string;
  readonly values: readonly string[];
};

/** Page of rows, with its columns by name. */
export type RowTexts = {
  readonly count: number;
  readonly columns: ReadonlyMap<string, ColumnTexts>;
};

/** Returns the first `count` values of a column, joined and as a list. */
function upTo(joined: string, values: readonly string[], count: number): ColumnTexts {
  if (values.length <= count) return { joined, values };
  const kept = values.slice(0, count);
  return { joined: kept.join(separator), values: kept };
}

/**
 * Reads the columns for a page of rows, and whether more rows follow. Executes one SQL statement that returns a single
 * row. `null` if a value contains the separator.
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

/** Converts a value from PostgreSQL's text format to the type that queries return. Supports columns that can be sort keys. */
export function valueFromText(model: ModelName, name: string, text: string): unknown {
  const type = typeOf(model, name);
  if (type === 'timestamptz') return readTimestamp(text);
  if (type === 'bigint') return BigInt(text);
  return type === 'integer' ? Number(text) : text;
}
