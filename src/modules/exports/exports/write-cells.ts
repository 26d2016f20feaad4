import { decimalText } from '../../../domain/money/amount-text.ts';
import { exponentOf } from '../../../domain/money/money.ts';
import { type ColumnTexts, separator } from '../../../platform/db/row-texts.ts';
import { isoTextOf } from '../../../platform/db/timestamps.ts';
import type { Column } from './derive-columns.ts';
import type { Cells } from './read-cells.ts';
import type { Shaped, Shown } from './shape-rows.ts';

// Creates CSV rows. A row has one cell per column, and two cells per amount column.

/** Returns a column's value in a row. `null` if an object on the column's path is `null`. */
export function valueAt(row: Shown, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Shown)[name];
  }
  return value ?? null;
}

/** Characters that start a formula in a spreadsheet, including full-width forms. */
const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Characters that require quotes (RFC 4180, 2.6). A single CR or LF also counts, because many readers treat it as a line break. */
const special = /[",\r\n]/;

/** Pattern of text that needs neither quotes nor an apostrophe. Most strings match, so most cells need only this check. */
const plain = /^[^=+\-@\t\r\n",\uFF1D\uFF0B\uFF0D\uFF20][^",\r\n]*$/;

const quoted = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Formats text as a cell. Adds an apostrophe to text that a spreadsheet would run as a formula. */
const textCell = (text: string): string =>
  plain.test(text) ? text : quoted(formula.test(text) ? `'${text}` : text);

/** Number of decimal places of an amount in a currency. Rates always have 4. */
const decimalsOf = ({ type, isUsCents }: Column, currency: string): number =>
  type === 'rate' ? 4 : exponentOf(isUsCents ? 'usd' : currency);

const isAmount = ({ type }: Column): boolean => type === 'amount' || type === 'rate';

/** Formats a value that isn't `null` as a cell. Formats an amount as two cells. */
type WriteCell = (value: unknown, currency: string) => string;

function cellWriter(column: Column): WriteCell {
  if (column.type === 'text') return (value) => textCell(String(value));
  if (column.type === 'json') return (value) => quoted(JSON.stringify(value));
  // Numbers, times, and booleans never need quotes.
  if (!isAmount(column)) return String;
  return (value, currency) =>
    `${value},${decimalText(BigInt(value as number), decimalsOf(column, currency))}`;
}

/** Returns the header line. Each amount has a second column in major units of the currency. */
export const headerOf = (columns: readonly Column[]): string =>
  `${columns
    .flatMap((column) => (isAmount(column) ? [column.name, `${column.name}_decimal`] : [column.name]))
    .map(quoted)
    .join(',')}\r\n`;

/** Returns a writer for CSV lines with these columns (RFC 4180). Prepares each column once instead of once per row. */
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

/** Tests the text of a whole column. Matches if any value needs quotes or an apostrophe. */
const anySpecial = new RegExp(`[",\\r\\n]|(?:^|${separator})[=+\\-@\\t\\r\\uFF1D\\uFF0B\\uFF0D\\uFF20]`);

/** Formats the cells in a column from database text. `currencies` contains each row's currency if amounts depend on it. */
type WriteColumn = (texts: ColumnTexts, currencies: readonly string[] | null) => readonly string[];

/** Formats JSON cells in the same way as the row-based writer. Caches the last value, because consecutive rows often have equal values. */
function jsonCells(): WriteColumn {
  let [last, cell] = ['', ''];
  const written = (text: string): string => {
    if (text === '' || text === last) return text && cell;
    last = text;
    const value: unknown = JSON.parse(text);
    cell = value === null ? '' : quoted(JSON.stringify(value));
    return cell;
  };
  return ({ values }) => values.map(written);
}

function columnWriter(column: Column): WriteColumn {
  const { type } = column;
  if (type === 'text')
    return ({ joined, values }) => (anySpecial.test(joined) ? values.map(textCell) : values);
  if (type === 'json') return jsonCells();
  if (type === 'timestamp')
    return ({ values }) => values.map((text) => (text === '' ? text : isoTextOf(text)));
  if (column.isEmptyIfFalse) return ({ values }) => values.map((text) => (text === 'false' ? '' : text));
  if (!isAmount(column)) return ({ values }) => values;
  return ({ values }, currencies) =>
    values.map((text, row) =>
      text === ''
        ? ','
        : `${text},${decimalText(BigInt(text), decimalsOf(column, currencies?.[row] ?? 'usd'))}`,
    );
}

const noTexts: ColumnTexts = { joined: '', values: [] };

/** Returns a writer for CSV lines from rows that the database formatted as text. Writes the same lines as `lineWriter`. */
export function textLineWriter(columns: readonly Column[]): (cells: Cells) => string {
  const writers = columns.map((column) => ({
    column,
    write: columnWriter(column),
    constant: cellWriter(column),
  }));
  return ({ texts, constants }) => {
    const currencies = texts.columns.get('currency')?.values ?? null;
    const cells = writers.map(({ column, write, constant }) => {
      const { stored, path } = column;
      if (stored !== null) return write(texts.columns.get(stored) ?? noTexts, currencies);
      const value = valueAt(constants, path);
      return Array<string>(texts.count).fill(value === null ? '' : constant(value, 'usd'));
    });
    let text = '';
    for (let row = 0; row < texts.count; row++) {
      let separating = '';
      for (const column of cells) {
        text += separating + column[row];
        separating = ',';
      }
      text += '\r\n';
    }
    return text;
  };
}
