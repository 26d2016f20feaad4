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

/** SQL statement that returns a page of rows. */
type Statement = ReturnType<typeof windowStatement>;

/** Reads the values of each column as one joined string. `null` if a value contains the separator. Executes one SQL statement. */
async function readJoined(
  sql: Query,
  { text, params }: Statement,
  names: readonly string[],
): Promise<readonly ColumnTexts[] | null> {
  const joined = names.map(
    (name, index) => `string_agg(coalesce(t."${name}"::text, ''), chr(31)) AS "${index}"`,
  );
  const [row] = await sql<{ count: number; [index: string]: unknown }>(
    `SELECT count(*)::int AS count, ${joined.join(', ')} FROM (${text}) AS t`,
    params,
  );
  if (row === undefined || row.count === 0) return names.map(() => nothing);
  const columns = names.map((_name, index) => {
    const all = String(row[index]);
    return { joined: all, values: all.split(separator) };
  });
  return columns.every(({ values }) => values.length === row.count) ? columns : null;
}

/** Reads the values of each column row by row. Slower than `readJoined`, but values can contain the separator. Executes one SQL statement. */
async function readSeparate(
  sql: Query,
  { text, params }: Statement,
  names: readonly string[],
): Promise<readonly ColumnTexts[]> {
  const single = names.map((name, index) => `coalesce(t."${name}"::text, '') AS "${index}"`);
  const rows = await sql<{ [index: string]: string }>(
    `SELECT ${single.join(', ')} FROM (${text}) AS t`,
    params,
  );
  return names.map((_name, index) => {
    const values = rows.map((row) => row[index] ?? '');
    return { joined: values.join(separator), values };
  });
}

/**
 * Reads the columns for a page of rows, and whether more rows follow. Executes one SQL statement, or two if a value contains the separator.
 * `columns` contains at least one name.
 */
export async function readTexts(
  sql: Query,
  list: RowList,
  { limit, ...window }: Omit<Window, 'columns'>,
  columns: ReadonlySet<string>,
): Promise<RowTexts & { readonly isLast: boolean }> {
  const { list: read } = selectionOf(list.model, columns);
  const statement = windowStatement(list, { ...window, limit: limit + 1 }, read);
  const names = [...columns];
  const found = (await readJoined(sql, statement, names)) ?? (await readSeparate(sql, statement, names));
  const total = found[0]?.values.length ?? 0;
  const count = Math.min(total, limit);
  const page = found.map(({ joined, values }) => upTo(joined, values, count));
  return {
    count,
    columns: new Map(names.map((name, index) => [name, page[index] ?? nothing])),
    isLast: total <= limit,
  };
}

const nothing: ColumnTexts = { joined: '', values: [] };

/** Converts a value from PostgreSQL's text format to the type that queries return. Supports columns that can be sort keys. */
export function valueFromText(model: ModelName, name: string, text: string): unknown {
  const type = typeOf(model, name);
  if (type === 'timestamptz') return readTimestamp(text);
  if (type === 'bigint') return BigInt(text);
  return type === 'integer' ? Number(text) : text;
}
