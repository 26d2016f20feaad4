import { decimalText } from '../../domain/amount-text.ts';
import { exponentOf } from '../../domain/money.ts';
import { type ColumnTexts, separator } from '../../platform/db/row-texts.ts';
import { isoTextOf } from '../../platform/db/timestamps.ts';
import type { Column } from './derive-columns.ts';
import type { Cells } from './read-cells.ts';
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

/** A value in a whole column that needs quotes or an apostrophe. */
const anySpecial = new RegExp(`[",\\r\\n]|(?:^|${separator})[=+\\-@\\t\\r\\uFF1D\\uFF0B\\uFF0D\\uFF20]`);

/** Writes the cells of a column, given as texts of the database, and the currencies of the rows where amounts depend on them. */
type WriteColumn = (texts: ColumnTexts, currencies: readonly string[] | null) => readonly string[];

/** Writes JSON as it is written of a value. Rows often have the same. */
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
  if (!isAmount(column)) return ({ values }) => values;
  return ({ values }, currencies) =>
    values.map((text, row) =>
      text === ''
        ? ','
        : `${text},${decimalText(BigInt(text), decimalsOf(column, currencies?.[row] ?? 'usd'))}`,
    );
}

const noTexts: ColumnTexts = { joined: '', values: [] };

/** Writes lines of a table as `lineWriter` does, of rows as texts. */
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
