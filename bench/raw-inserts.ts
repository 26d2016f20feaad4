import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { onDatabase } from './database.ts';

// Baseline for the renewal benchmark. Inserts the rows that a simulated year wrote, over one connection.

type JsonRow = Record<string, unknown>;
type Table = { readonly name: string; readonly rows: readonly JsonRow[] };

/** Rows from the simulated year by table, in foreign key order. */
export type YearOfRows = {
  readonly tables: readonly Table[];
  readonly run: JsonRow;
  readonly rowCount: number;
};

/** Highest row and event numbers in a seeded environment. Rows with higher numbers belong to the simulated year. */
export type Marker = { readonly seq: string; readonly position: string };

/** Tables to which renewals append rows, each with a condition that selects the rows from the simulated year. */
const appended = {
  Invoice: 't.seq > $1',
  InvoiceLine: 't."invoiceId" IN (SELECT id FROM "Invoice" WHERE seq > $1)',
  Transaction: 't.seq > $1',
  LedgerTransfer: 't.seq > $1',
  Event: 't.position > $1',
  TestClockRunItem: 't.seq > $1',
} as const;

/** Tables in which renewals update rows. The baseline inserts as many rows as Quittance inserted or updated. */
const overwritten = ['Subscription', 'Deadline'] as const;

export async function readMarker(client: pg.Client): Promise<Marker> {
  const { rows } = await client.query<Marker>(
    `SELECT c.seq, c."eventPosition" AS position FROM "EnvironmentCounter" c JOIN "Environment" e ON e.id = c."environmentId" WHERE e.mode = 'sandbox'`,
  );
  const [marker] = rows;
  if (marker === undefined) throw new Error('The sandbox has no counters.');
  return marker;
}

/**
 * Returns the number of rows written to a table since the database was created. Copied databases start without statistics, and sessions report their
 * writes when they end.
 */
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

/** Returns copies of rows with new IDs. Copied subscriptions are canceled, because a customer can have many canceled subscriptions. */
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

/**
 * Reads the rows that the simulated year added to a copy of a seeded database. `marker` contains the counters of the seeded database.
 * Quittance must be stopped first.
 */
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
  if (run === undefined) throw new Error('The year has no clock run.');
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

/** Returns the batch number of each invoice, by invoice ID. */
function batchOfInvoice(year: YearOfRows, batches: number): ReadonlyMap<unknown, number> {
  const invoices = year.tables.find(({ name }) => name === 'Invoice')?.rows ?? [];
  return new Map(invoices.map((row, index) => [row['id'], Math.floor((index * batches) / invoices.length)]));
}

/** Divides rows into equal batches. Rows that belong to an invoice are in the same batch as the invoice. */
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
 * Inserts the rows from the simulated year in `batches` transactions, with one prepared statement per table. Returns the duration in
 * seconds, including encoding.
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
