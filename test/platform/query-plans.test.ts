import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/platform/db/open.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { freshDatabase } from '../support/template.ts';

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  // Uses up the statement names in another pool, to check that each pool has its own names.
  if (fresh.url !== undefined)
    for (let number = 0; number < 1_000; number++) await fresh.database.query(`SELECT 1 AS column${number}`);
  // The pool has a single connection, like the embedded database.
  database =
    fresh.url === undefined
      ? fresh.database
      : await openDatabase({ databaseUrl: fresh.url, databasePoolSize: 1, dataDir: '' });
});
afterAll(async () => {
  await database.close();
  if (database !== fresh.database) await fresh.database.close();
  await fresh.drop();
});

const text = 'SELECT note FROM "Grown" WHERE id = ANY($1)';

/** Returns the plan that the pool's only connection uses for the statement. */
async function plan(): Promise<string> {
  const [prepared] = await database.query<{ name: string }>(
    'SELECT name FROM pg_prepared_statements WHERE statement = $1',
    [text],
  );
  const rows = await database.plain(`EXPLAIN EXECUTE "${prepared?.name}" (ARRAY['7'])`);
  return JSON.stringify(rows);
}

test('a query plan for an empty table is replaced after the table grows, even before statistics exist', async () => {
  await database.script(
    'CREATE TABLE "Grown" (id text PRIMARY KEY, note text) WITH (autovacuum_enabled = false)',
  );
  await database.script('VACUUM ANALYZE "Grown"');
  // Executes the statement often enough to get a generic plan. The server switches to one after five executions.
  for (let time = 0; time < 7; time++) expect(await database.query(text, [['7']])).toEqual([]);
  await database.script(
    `INSERT INTO "Grown" SELECT n::text, 'note ' || n FROM generate_series(1, 20000) AS n`,
  );
  const isFound = async (): Promise<void> => {
    // If the connection was replaced, this query prepares the statement again.
    await database.query(text, [['7']]);
    expect(await plan()).toMatch(/Index Scan|Bitmap/);
  };
  await vi.waitFor(isFound, { timeout: 40_000, interval: 200 });
  expect(await database.query(text, [['7']])).toEqual([{ note: 'note 7' }]);
});
