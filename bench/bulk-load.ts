import type pg from 'pg';

// Fast bulk inserts into temporary databases.

/** Table to fill. Rows are inserted in numbered chunks, to show progress and to keep statements short. */
export type Filling = {
  readonly table: string;
  /** Statement that inserts the rows with numbers from `$2` to `$3`. */
  readonly text: string;
};

/** Data to insert: the environment (`$1`), the number of rows per table (`$2`), and the statements to run after the inserts. */
export type Fill = {
  readonly environmentId: string;
  readonly count: number;
  readonly more: readonly string[];
};

type Definition = { readonly table: string; readonly name: string; readonly text: string };

const perChunk = 100_000;

async function definitions(client: pg.Client, text: string, tables: readonly string[]) {
  const { rows } = await client.query<Definition>(text, [tables.map((table) => `"${table}"`)]);
  return rows;
}

/** Drops indexes and keys. Returns the statements that recreate the indexes and keys, except foreign keys. */
async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const references = await definitions(
    client,
    `SELECT conrelid::regclass AS table, conname AS name, '' AS text FROM pg_constraint
     WHERE contype = 'f' AND (conrelid = ANY($1::regclass[]) OR confrelid = ANY($1::regclass[]))`,
    tables,
  );
  const keys = await definitions(
    client,
    `SELECT conrelid::regclass AS table, conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint
     WHERE contype IN ('p', 'u') AND conrelid = ANY($1::regclass[])`,
    tables,
  );
  for (const { table, name } of [...references, ...keys])
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
  const indexes = await definitions(
    client,
    `SELECT indrelid::regclass AS table, indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index WHERE indrelid = ANY($1::regclass[])`,
    tables,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  return [
    ...keys.map(({ table, name, text }) => `ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${text}`),
    ...indexes.map(({ text }) => text),
  ];
}

/** Fills each table with `count` numbered rows. For speed, the tables are unlogged, and indexes are created after the inserts. */
export async function fillTables(
  client: pg.Client,
  { environmentId, count, more }: Fill,
  fillings: readonly Filling[],
): Promise<void> {
  const began = performance.now();
  const report = (what: string): void =>
    console.error(`    ${((performance.now() - began) / 1_000).toFixed(0)} s: ${what}`);
  const tables = [...new Set(fillings.map(({ table }) => table))];
  for (const setting of ['synchronous_commit = off', `maintenance_work_mem = '512MB'`, `work_mem = '128MB'`])
    await client.query(`SET ${setting}`);
  const indexes = await dropIndexes(client, tables);
  for (const table of tables) await client.query(`ALTER TABLE "${table}" SET UNLOGGED`);
  for (const { table, text } of fillings) {
    for (let from = 1; from <= count; from += perChunk)
      await client.query(text, [environmentId, from, Math.min(count, from + perChunk - 1)]);
    report(`${table} is filled`);
  }
  for (const index of indexes) await client.query(index);
  report('indexes are created');
  for (const text of more)
    await client.query(text, text.includes('$2') ? [environmentId, count] : [environmentId]);
  report('sums are created');
  await client.query('VACUUM ANALYZE');
  report('statistics are created');
}
