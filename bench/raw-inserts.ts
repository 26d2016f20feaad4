import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { onDatabase } from './database.ts';

// The baseline of the renewals: the rows a year of the product wrote, written again by bulk inserts over one connection and nothing else.

type JsonRow = Record<string, unknown>;
type Table = { readonly name: string; readonly rows: readonly JsonRow[] };

/** The rows of a year, table by table in an order foreign keys allow. */
export type YearOfRows = {
  readonly tables: readonly Table[];
  readonly run: JsonRow;
  readonly rowCount: number;
};

/** Where a seeded environment stands: what is numbered beyond this was written by the year. */
export type Marker = { readonly seq: string; readonly position: string };

/** What a renewal appends, and how the rows of the year are told from those before it. */
const appended = {
  Invoice: 't.seq > $1',
  InvoiceLine: 't."invoiceId" IN (SELECT id FROM "Invoice" WHERE seq > $1)',
  Transaction: 't.seq > $1',
  LedgerTransfer: 't.seq > $1',
  Event: 't.position > $1',
  TestClockRunItem: 't.seq > $1',
} as const;

/** What a renewal writes over: the baseline inserts as many rows of that kind as the product put or changed. */
const overwritten = ['Subscription', 'Deadline'] as const;

export async function readMarker(client: pg.Client): Promise<Marker> {
  const { rows } = await client.query<Marker>(
    `SELECT c.seq, c."eventPosition" AS position FROM "EnvironmentCounter" c JOIN "Environment" e ON e.id = c."environmentId" WHERE e.mode = 'sandbox'`,
  );
  const [marker] = rows;
  if (marker === undefined) throw new Error('The sandbox has no counters.');
  return marker;
}

/** How many rows of the table were written since the database was made: a copy begins without statistics, and sessions report at their end. */
async function countWritten(client: pg.Client, name: string): Promise<number> {
  const { rows } = await client.query<{ written: string }>(
    'SELECT n_tup_ins + n_tup_upd AS written FROM pg_stat_user_tables WHERE relname = $1',
    [name],
  );
  return Number(rows[0]?.written ?? 0);
}

const readRows = async (
  client: pg.Client,
  name: string,
  condition = 'true',
  params: unknown[] = [],
): Promise<JsonRow[]> =>
  (
    await client.query<{ row: JsonRow }>(
      `SELECT to_json(t) AS row FROM "${name}" t WHERE ${condition}`,
      params,
    )
  ).rows.map(({ row }) => row);

/** So many rows like the stored ones, under ids of their own; subscriptions as canceled ones, of which a customer may have many. */
function copies(name: string, stored: readonly JsonRow[], count: number): JsonRow[] {
  return Array.from({ length: count }, (_none, index) => {
    const row = stored[index % stored.length] ?? {};
    return {
      ...row,
      id: `${row['id']}_${index}`,
      ...(name === 'Subscription' ? { status: 'canceled' } : {}),
    };
  });
}

/** Reads what the year wrote to a copy of a seeded database, once the product has left it; `marker` is that of the seeded one. */
export async function readYear(client: pg.Client, marker: Marker): Promise<YearOfRows> {
  const tables: Table[] = [];
  for (const [name, condition] of Object.entries(appended)) {
    tables.push({
      name,
      rows: await readRows(client, name, condition, [name === 'Event' ? marker.position : marker.seq]),
    });
  }
  for (const name of overwritten) {
    tables.push({ name, rows: copies(name, await readRows(client, name), await countWritten(client, name)) });
  }
  const [run] = await readRows(client, 'TestClockRun');
  if (run === undefined) throw new Error('The year left no run.');
  return { tables, run, rowCount: tables.reduce((sum, { rows }) => sum + rows.length, 0) };
}

async function insertStatement(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = quote_ident($1)::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [name],
  );
  const columns = rows.map((column) => column.name).join(', ');
  const shape = rows.map((column) => `${column.name} ${column.type}`).join(', ');
  return `INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM json_to_recordset($1::json) AS r(${shape})`;
}

/** The batch each invoice is inserted in. */
function batchOfInvoice(year: YearOfRows, batches: number): ReadonlyMap<unknown, number> {
  const invoices = year.tables.find(({ name }) => name === 'Invoice')?.rows ?? [];
  return new Map(invoices.map((row, index) => [row['id'], Math.floor((index * batches) / invoices.length)]));
}

/** Rows in equal batches by their place; what belongs to an invoice comes in the batch of that. */
function inBatches(
  rows: readonly JsonRow[],
  batches: number,
  batchOf: ReadonlyMap<unknown, number>,
): JsonRow[][] {
  const parts: JsonRow[][] = Array.from({ length: batches }, () => []);
  for (const [index, row] of rows.entries()) {
    const batch =
      batchOf.get(row['invoiceId']) ?? batchOf.get(row['id']) ?? Math.floor((index * batches) / rows.length);
    parts[batch]?.push(row);
  }
  return parts;
}

/**
 * Inserts the rows of the year into a copy of the seeded database, `batches` transactions with one prepared statement per table, and answers
 * the seconds it took, encoding included.
 */
export async function insertYear(databaseUrl: string, year: YearOfRows, batches: number): Promise<number> {
  return onDatabase(databaseUrl, async (client) => {
    await client.query(await insertStatement(client, 'TestClockRun'), [JSON.stringify([year.run])]);
    const statements = new Map<string, string>();
    for (const { name } of year.tables) statements.set(name, await insertStatement(client, name));
    const parts = year.tables.map(({ name, rows }) => ({
      name,
      parts: inBatches(rows, batches, batchOfInvoice(year, batches)),
    }));
    const began = performance.now();
    for (let batch = 0; batch < batches; batch++) {
      await client.query('BEGIN');
      for (const { name, parts: of } of parts) {
        const part = of[batch] ?? [];
        if (part.length > 0)
          await client.query({ name, text: statements.get(name) ?? '', values: [JSON.stringify(part)] });
      }
      await client.query('COMMIT');
    }
    return (performance.now() - began) / 1_000;
  });
}
