import { parse } from 'csv-parse/sync';
import { specificError } from '../../../domain/errors/errors.ts';
import type { RawEntry } from '../../../domain/payments/statements/entries.ts';

/** Names of the columns of a CSV file. */
export type CsvColumns = {
  readonly date: string;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
  readonly payerName: string;
  readonly bankReference: string;
};

export const usualColumns: CsvColumns = {
  date: 'date',
  amount: 'amount',
  currency: 'currency',
  reference: 'reference',
  payerName: 'payer_name',
  bankReference: 'bank_reference',
};

/** Account and format of a CSV file, which the file doesn't contain. */
export type CsvTerms = {
  readonly account: string | null;
  /** Currency of entries without a currency. */
  readonly currency: string | null;
  readonly columns: CsvColumns;
  readonly hasDecimalComma: boolean;
};

/** Returns a number with a decimal point and without separators of thousands. */
const plain = (text: string, hasDecimalComma: boolean): string => {
  const compact = text.replaceAll(/[\s'\u00a0]/g, '');
  return hasDecimalComma ? compact.replaceAll('.', '').replace(',', '.') : compact.replaceAll(',', '');
};

/** Returns the delimiter that the header contains most often. */
function delimiterOf(content: string): string {
  const head = content.split('\n', 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: head.split(delimiter).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.delimiter ?? ',';
}

type CsvRow = Readonly<Record<string, string | undefined>>;

function rowsOf(content: string, most: number): CsvRow[] {
  try {
    return parse(content, {
      bom: true,
      columns: true,
      delimiter: delimiterOf(content),
      skip_empty_lines: true,
      trim: true,
      to: most + 1,
    }) as CsvRow[];
  } catch {
    throw specificError('validation_error', 'statement_malformed', { param: 'content' });
  }
}

/**
 * Reads the entries of a CSV file with a header. Throws `validation_error` if the file can't be read, lacks the columns of the date or the
 * amount, or has more than `most` entries.
 */
export function readCsv(content: string, terms: CsvTerms, most: number): RawEntry[] {
  const { account, currency, columns, hasDecimalComma } = terms;
  const rows = rowsOf(content, most);
  if (rows.length > most)
    throw specificError('validation_error', 'statement_entries', {
      param: 'content',
      values: { most: String(most) },
    });
  const [head] = rows;
  if (head === undefined || head[columns.date] === undefined || head[columns.amount] === undefined)
    throw specificError('validation_error', 'statement_columns', { param: 'content' });
  return rows.map((row) => {
    const amount = plain(row[columns.amount] ?? '', hasDecimalComma);
    return {
      account,
      isDebit: amount.startsWith('-'),
      isBooked: true,
      amount: amount.replace(/^[+-]/, ''),
      currency: row[columns.currency] || currency,
      bookedOn: row[columns.date] ?? null,
      text: row[columns.reference] || null,
      payerName: row[columns.payerName] || null,
      bankReference: row[columns.bankReference] || null,
    };
  });
}
