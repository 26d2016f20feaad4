// Rows as one array per column, which the server reads faster than JSON. A column that has the same value in every row, as instants and
// empty ones mostly do, travels once.

/** A column of a table and its SQL type; never a list itself. */
export type ArrayColumn = { readonly name: string; readonly sqlType: string };

const maxInstants = 10_000;
const instants = new Map<number, string>();

/** The ISO form of an instant. The rows of a batch share most of their instants, so the last ones are remembered. */
export function isoInstant(date: Date): string {
  const ms = date.getTime();
  const found = instants.get(ms);
  if (found !== undefined) return found;
  if (instants.size >= maxInstants) instants.clear();
  const made = date.toISOString();
  instants.set(ms, made);
  return made;
}

/** A value as the server reads it from text. */
function textOf(value: unknown, sqlType: string): string | null {
  if (value === null) return null;
  if (sqlType === 'jsonb') return JSON.stringify(value);
  if (value instanceof Date) return isoInstant(value);
  return typeof value === 'string' ? value : String(value);
}

const special = /["\\]/;

/** What JSON writes otherwise than an array's literal does, control characters and halves of pairs, and whole pairs with them. */
const unlikeJson = /[^\u0020-\ud7ff\ue000-\uffff]/;

/** A text between quotes. JSON escapes the same two characters in the same way, and is written several times as fast. */
function quoted(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  return unlikeJson.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(text);
}

/** The literal of an array; texts of numbers, instants and truth values need no quotes. */
function arrayLiteral(texts: readonly (string | null)[], isQuoted: boolean): string {
  let literal = '';
  for (const text of texts)
    literal += `${literal === '' ? '' : ','}${text === null ? 'NULL' : isQuoted ? quoted(text) : text}`;
  return `{${literal}}`;
}

/** The literal of an array of texts. A caller that needs it several times makes it once. */
export const textArray = (texts: readonly (string | null)[]): string => arrayLiteral(texts, true);

const unquotedTypes: ReadonlySet<string> = new Set(['bigint', 'integer', 'boolean', 'timestamptz']);

function cellOf(row: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = row[name];
  if (value === undefined) throw new Error(`A row has no value for ${name}.`);
  return value;
}

/** The two parameters of a column: the array of its values and null, or an empty array and the value all rows have. */
function parametersOf(
  { name, sqlType }: ArrayColumn,
  rows: readonly Readonly<Record<string, unknown>>[],
): [string, string | null] {
  const texts: (string | null)[] = [];
  let last: unknown;
  let text: string | null = null;
  let isSame = true;
  for (const [index, row] of rows.entries()) {
    const value = cellOf(row, name);
    if (index === 0 || value !== last) {
      const next = textOf(value, sqlType);
      if (index > 0 && next !== text) isSame = false;
      [last, text] = [value, next];
    }
    texts.push(text);
  }
  return isSame ? ['{}', text] : [arrayLiteral(texts, !unquotedTypes.has(sqlType)), null];
}

/** A list to select from, whose parameters begin with $2, and the values to select from it, in the order of the columns. */
export type ArraySource = { readonly from: string; readonly values: string };

/** What is added to the values of a column, by its name: an expression. */
export type Bases = { readonly [column: string]: string };

/** The source of rows with these columns. The first one tells how many rows there are. */
export function arraySource(
  [first, ...rest]: readonly [ArrayColumn, ...ArrayColumn[]],
  bases: Bases = {},
): ArraySource {
  const arrays = rest.map(({ sqlType }, index) => `$${2 * index + 3}::${sqlType}[]`);
  const names = [first, ...rest].map(({ name }) => `"${name}"`);
  const values = rest.map(({ name, sqlType }, index) => {
    const value = `coalesce(r."${name}", $${2 * index + 4}::${sqlType})`;
    return bases[name] === undefined ? value : `${bases[name]} + ${value}`;
  });
  return {
    from: `unnest(${[`$2::${first.sqlType}[]`, ...arrays].join(', ')}) AS r(${names.join(', ')})`,
    values: [`r."${first.name}"`, ...values].join(', '),
  };
}

/** The parameters of such a source, from $2 on. Throws when a row lacks a column. */
export function arrayParameters(
  [first, ...rest]: readonly [ArrayColumn, ...ArrayColumn[]],
  rows: readonly Readonly<Record<string, unknown>>[],
): (string | null)[] {
  const counted = arrayLiteral(
    rows.map((row) => textOf(cellOf(row, first.name), first.sqlType)),
    !unquotedTypes.has(first.sqlType),
  );
  return [counted, ...rest.flatMap((column) => parametersOf(column, rows))];
}
