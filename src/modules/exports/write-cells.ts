import { decimalText } from '../../domain/amount-text.ts';
import { exponentOf } from '../../domain/money.ts';
import type { Column } from './derive-columns.ts';
import type { Shaped, Shown } from './shape-rows.ts';

// Tables made of rows: one cell per column.

/** The value of a column in a row; null where an object on the way is. */
export function valueAt(row: Shown, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Shown)[name];
  }
  return value ?? null;
}

/** What a spreadsheet takes for the beginning of a formula, full-width forms included. */
const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** What a cell has quotes around it for (RFC 4180, 2.6); a line break of either kind alone is a line break to many readers. */
const special = /[",\r\n]/;

/** A text that is neither: most are, and one look tells. */
const plain = /^[^=+\-@\t\r\n",\uFF1D\uFF0B\uFF0D\uFF20][^",\r\n]*$/;

const quoted = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A text as a cell: one that a spreadsheet would run has an apostrophe in front. */
const textCell = (text: string): string =>
  plain.test(text) ? text : quoted(formula.test(text) ? `'${text}` : text);

/** How many decimals a column of amounts has in a currency. */
const decimalsOf = ({ type, isUsCents }: Column, currency: string): number =>
  type === 'rate' ? 4 : exponentOf(isUsCents ? 'usd' : currency);

const isAmount = ({ type }: Column): boolean => type === 'amount' || type === 'rate';

/** Writes the cell of a value that is not null, or the two of an amount. */
type WriteCell = (value: unknown, currency: string) => string;

function cellWriter(column: Column): WriteCell {
  if (column.type === 'text') return (value) => textCell(String(value));
  if (column.type === 'json') return (value) => quoted(JSON.stringify(value));
  // Numbers, instants, true and false have nothing in them that a table has to quote.
  if (!isAmount(column)) return String;
  return (value, currency) =>
    `${value},${decimalText(BigInt(value as number), decimalsOf(column, currency))}`;
}

/** The first line of a table: amounts have a second column, in units of the currency. */
export const headerOf = (columns: readonly Column[]): string =>
  `${columns
    .flatMap((column) => (isAmount(column) ? [column.name, `${column.name}_decimal`] : [column.name]))
    .map(quoted)
    .join(',')}\r\n`;

/** Writes lines of a table with these columns (RFC 4180). What each column needs is found once, not for each row. */
export function lineWriter(columns: readonly Column[]): (shaped: Shaped) => string {
  const cells = columns.map((column) => {
    const { path } = column;
    const [name = ''] = path;
    return {
      read: path.length === 1 ? (row: Shown) => row[name] ?? null : (row: Shown) => valueAt(row, path),
      write: cellWriter(column),
      empty: isAmount(column) ? ',' : '',
    };
  });
  return ({ rows, currencies }) => {
    let text = '';
    for (const [index, row] of rows.entries()) {
      const currency = currencies[index] ?? 'usd';
      let separator = '';
      for (const { read, write, empty } of cells) {
        const value = read(row);
        text += separator + (value === null ? empty : write(value, currency));
        separator = ',';
      }
      text += '\r\n';
    }
    return text;
  };
}
