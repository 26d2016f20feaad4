// Parses a table of customers in CSV format. The first row contains the column names.

/** Splits comma- or semicolon-separated values into rows and cells. Supports quoted cells. */
export function cellsOf(text: string): string[][] {
  const body = text.replace(/^\ufeff/, '');
  const firstLine = body.slice(0, body.search(/[\r\n]|$/));
  const separator = firstLine.split(';').length > firstLine.split(',').length ? ';' : ',';
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    rows.at(-1)?.push(cell);
    cell = '';
  };
  for (let at = 0; at < body.length; at++) {
    const sign = body[at] ?? '';
    if (isQuoted && sign === '"' && body[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (sign === '"' && (isQuoted || cell.trim() === '')) {
      cell = isQuoted ? cell : '';
      isQuoted = !isQuoted;
    } else if (isQuoted) cell += sign;
    else if (sign === separator) endCell();
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && body[at + 1] === '\n') at++;
      endCell();
      rows.push([]);
    } else cell += sign;
  }
  endCell();
  return rows.filter((row) => row.some((each) => each.trim() !== ''));
}

/** Common column names in imported tables, by field. */
const columns = {
  email: ['email', 'email', 'emailaddress', 'mail', 'correo', 'correoelectrónico', 'correoelectronico'],
  fullName: ['fullname', 'name', 'nombre', 'nombrecompleto', 'customer', 'cliente'],
  externalId: ['externalid', 'id', 'customerid', 'idexterno', 'reference', 'referencia'],
  timezone: ['timezone', 'zone', 'zonahoraria'],
  taxDocument: [
    'taxdocument',
    'taxid',
    'taxnumber',
    'vat',
    'vatnumber',
    'nif',
    'númerofiscal',
    'numerofiscal',
  ],
  line1: ['line1', 'address', 'street', 'addressline1', 'dirección', 'direccion', 'calle'],
  line2: ['line2', 'addressline2'],
  city: ['city', 'town', 'ciudad'],
  state: ['state', 'province', 'estado', 'provincia'],
  postalCode: ['postalcode', 'zip', 'zipcode', 'postcode', 'códigopostal', 'codigopostal'],
  country: ['country', 'countrycode', 'país', 'pais'],
} as const;

type Column = keyof typeof columns;

/** Reason why a table or a row can't be imported. */
type TableIssue = 'empty' | 'no_email_column' | 'too_many_rows' | 'email_missing' | 'address_incomplete';

/** Customer to import, as mutation input. */
type ImportedCustomer = {
  readonly email: string;
  readonly fullName?: string;
  readonly externalId?: string;
  readonly timezone?: string;
  readonly taxDocument?: string;
  readonly address?: {
    readonly line1: string;
    readonly line2?: string;
    readonly city: string;
    readonly state?: string;
    readonly postalCode: string;
    readonly country: string;
  };
};

/** Row with its line number. `issue` is the reason why it can't be imported. */
type ImportedRow = {
  readonly line: number;
  readonly customer: ImportedCustomer;
  readonly issue: TableIssue | null;
};

/** Parsed table: its rows and unknown columns. `issue` is the reason why the table can't be imported. */
export type ImportedTable = {
  readonly rows: readonly ImportedRow[];
  readonly unknownColumns: readonly string[];
  readonly issue: TableIssue | null;
};

/** Maximum number of customers in an import. */
const maxRows = 100;

const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '');

const columnOf = (name: string): Column | null => {
  const known = Object.keys(columns) as Column[];
  return known.find((column) => columns[column].some((each) => plain(each) === plain(name))) ?? null;
};

/** Returns the values of a row by column. Omits empty values. */
function valuesOf(
  row: readonly string[],
  header: readonly (Column | null)[],
): Partial<Record<Column, string>> {
  const values: Partial<Record<Column, string>> = {};
  for (const [index, column] of header.entries()) {
    const value = row[index]?.trim();
    if (column !== null && value) values[column] = value;
  }
  return values;
}

function rowOf(values: Partial<Record<Column, string>>, line: number): ImportedRow {
  const { email = '', line1, line2, city, state, postalCode, country, ...rest } = values;
  const named = [line1, city, postalCode, country];
  const hasAddress = [...named, line2, state].some((value) => value !== undefined);
  const address =
    line1 !== undefined && city !== undefined && postalCode !== undefined && country !== undefined
      ? { line1, city, postalCode, country, ...(line2 && { line2 }), ...(state && { state }) }
      : null;
  const issue = email === '' ? 'email_missing' : hasAddress && address === null ? 'address_incomplete' : null;
  return { line, issue, customer: { email, ...rest, ...(address !== null && { address }) } };
}

/** Parses a table of customers. Line numbers start at 1; line 1 contains the column names. */
export function customersOf(text: string): ImportedTable {
  const [names, ...rest] = cellsOf(text);
  if (names === undefined || rest.length === 0) return { rows: [], unknownColumns: [], issue: 'empty' };
  const header = names.map(columnOf);
  const unknownColumns = names.filter((name, index) => header[index] === null && name.trim() !== '');
  const rows = rest.map((row, index) => rowOf(valuesOf(row, header), index + 2));
  if (!header.includes('email')) return { rows, unknownColumns, issue: 'no_email_column' };
  return { rows, unknownColumns, issue: rows.length > maxRows ? 'too_many_rows' : null };
}
