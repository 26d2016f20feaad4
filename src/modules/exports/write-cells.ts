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

/** A text as a cell: one that a spreadsheet would run has an apostrophe in front. */
const safeText = (text: string): string => (formula.test(text) ? `'${text}` : text);

function cellOf({ type }: Column, value: unknown): string {
  if (value === null) return '';
  if (type === 'json') return JSON.stringify(value);
  return type === 'text' ? safeText(String(value)) : String(value);
}

/** How many decimals a column of amounts has in a currency. */
const decimalsOf = ({ type, isUsCents }: Column, currency: string): number =>
  type === 'rate' ? 4 : exponentOf(isUsCents ? 'usd' : currency);

const isAmount = ({ type }: Column): boolean => type === 'amount' || type === 'rate';

/** The first line of a table: amounts have a second column, in units of the currency. */
export const headerOf = (columns: readonly Column[]): string[] =>
  columns.flatMap((column) => (isAmount(column) ? [column.name, `${column.name}_decimal`] : [column.name]));

/** The lines of a table. */
export const linesOf = (columns: readonly Column[], { rows, currencies }: Shaped): string[][] =>
  rows.map((row, index) =>
    columns.flatMap((column) => {
      const value = valueAt(row, column.path);
      const cell = cellOf(column, value);
      if (!isAmount(column)) return [cell];
      if (value === null) return ['', ''];
      const decimals = decimalsOf(column, currencies[index] ?? 'usd');
      return [cell, decimalText(BigInt(value as number), decimals)];
    }),
  );
