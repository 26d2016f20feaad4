import type pg from 'pg';

// Filling tables of a throwaway database with very many rows, quickly.

/** What is written in chunks of numbers, so that progress shows and no statement takes minutes. */
export type Filling = {
  readonly table: string;
  /** Statement that inserts the rows of the numbers from $2 to $3. */
  readonly text: string;
};

/** How many rows of each are written to an environment, and what is done once they are there; $1 is the environment, $2 their number. */
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

/** Drops indexes and keys, and answers the statements that make them again. References between tables are dropped for good. */
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

/** Fills tables with the rows of the numbers from 1 to `count`: without indexes, which are made afterwards, and without a log of changes. */
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
  report('indexes are made');
  for (const text of more)
    await client.query(text, text.includes('$2') ? [environmentId, count] : [environmentId]);
  report('sums are made');
  await client.query('VACUUM ANALYZE');
  report('statistics are made');
}
