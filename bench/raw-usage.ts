import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { onDatabase } from './database.ts';

// Baseline for the usage benchmark. Inserts the rows that Quittance wrote over one connection, using `INSERT … SELECT FROM unnest`.

type JsonRow = Record<string, unknown>;

const tables = { UsageEvent: 'seq', Event: 'position' } as const;

type Copied = {
  readonly text: string;
  readonly columns: readonly string[];
  readonly rows: readonly JsonRow[];
  readonly order: string;
};

/** Returns a table's latest rows, and a statement that inserts such rows from column arrays. */
async function readCopied(client: pg.Client, name: keyof typeof tables, count: number): Promise<Copied> {
  const order = tables[name];
  const { rows } = await client.query<{ row: JsonRow }>(
    `SELECT to_jsonb(t) AS row FROM "${name}" t ${name === 'Event' ? `WHERE kind = 'usage.recorded'` : ''} ORDER BY "${order}" DESC LIMIT $1`,
    [count],
  );
  const types = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = quote_ident($1)::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [name],
  );
  const columns = types.rows.map((column) => column.name);
  const names = columns.map((column) => `"${column}"`).join(', ');
  const arrays = types.rows.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  return {
    text: `INSERT INTO "${name}" (${names}) SELECT * FROM unnest(${arrays})`,
    columns,
    rows: rows.map(({ row }) => row),
    order,
  };
}

let made = 0;
let numbered = 3_000_000_000;

const renewed = ({ rows, order }: Copied): JsonRow[] =>
  rows.map((row) => ({
    ...row,
    id: `raw_${++made}`,
    [order]: ++numbered,
    ...('eventId' in row ? { eventId: `raw_${made}` } : {}),
  }));

const parametersOf = (columns: readonly string[], rows: readonly JsonRow[]): unknown[] =>
  columns.map((column) =>
    rows.map((row) => {
      const value = row[column] ?? null;
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    }),
  );

/**
 * Inserts batches for a number of seconds, with one transaction per batch. Returns the number of events per second. The database must
 * contain usage events to copy.
 */
export const rawBatchRate = (databaseUrl: string, batchSize: number, seconds: number): Promise<number> =>
  onDatabase(databaseUrl, async (client) => {
    const copied: Copied[] = [];
    for (const name of Object.keys(tables) as (keyof typeof tables)[])
      copied.push(await readCopied(client, name, batchSize));
    const began = performance.now();
    let batches = 0;
    for (; performance.now() - began < seconds * 1_000; batches++) {
      await client.query('BEGIN');
      for (const table of copied) {
        const values = parametersOf(table.columns, renewed(table));
        await client.query({ name: table.text.slice(0, 60), text: table.text, values });
      }
      await client.query('COMMIT');
    }
    return (batches * batchSize) / ((performance.now() - began) / 1_000);
  });
