import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultTimeouts, sessionSettings } from '../../src/platform/database-timeouts.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';
import { openTransactionPooler, type TransactionPooler } from '../support/transaction-pooler.ts';

// The pooler needs a server, so these tests run with the tests that use one.
describe.skipIf(serverUrl() === undefined)('a pooler in transaction mode', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let direct: string;
  const closing: (() => Promise<void>)[] = [];

  const opened = async (options: Parameters<typeof openTransactionPooler>[1]): Promise<TransactionPooler> => {
    const pooler = await openTransactionPooler(direct, options);
    closing.unshift(() => pooler.close());
    return pooler;
  };

  /** Sets the connection settings of the service for all connections to the database. */
  const set = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: direct });
    await client.connect();
    const name = new URL(direct).pathname.slice(1);
    for (const [setting, value] of Object.entries(sessionSettings(defaultTimeouts)))
      await client.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    await client.end();
  };

  const through = async ({ url }: TransactionPooler, isConfigured = true): Promise<Database> => {
    if (isConfigured) await set();
    const urls = { databaseUrl: url, databaseDirectUrl: direct };
    const database = await openDatabase({ ...urls, databasePoolSize: 8, dataDir: '' });
    closing.unshift(() => database.close());
    return database;
  };

  beforeAll(async () => {
    fresh = await freshDatabase();
    direct = fresh.url ?? '';
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await fresh.database.close();
    await fresh.drop();
  });

  test("is rejected if the role doesn't have the settings of the service, with the statements that set them", async () => {
    const pooler = await opened({});
    const rejected = expect(through(pooler, false)).rejects;
    await rejected.toThrow(
      "statement_timeout = '30000'; ALTER ROLE postgres SET idle_in_transaction_session_timeout = '15000';",
    );
  });

  test("is rejected if it doesn't keep prepared statements", async () => {
    await expect(through(await opened({ prepares: false }))).rejects.toThrow(
      "The pooler in DATABASE_URL doesn't keep prepared statements in transaction mode. Use PgBouncer 1.21 or later, and set max_prepared_statements to 1000.",
    );
  });

  test('serves more concurrent transactions than it has server connections', async () => {
    const pooler = await opened({ size: 3 });
    const database = await through(pooler);
    const sums = await Promise.all(
      Array.from({ length: 40 }, (_none, index) =>
        database.transaction(async ({ query }) => {
          const [first] = await query<{ n: number }>('SELECT $1::int + 1 AS n', [index]);
          const [second] = await query<{ n: number }>('SELECT $1::int * 2 AS n', [first?.n]);
          return second?.n;
        }),
      ),
    );
    expect(sums).toEqual(Array.from({ length: 40 }, (_none, index) => (index + 1) * 2));
    expect(pooler.opened()).toBe(3);
  });

  test('accepts a statement again that the server did not prepare because its transaction had failed', async () => {
    const database = await through(await opened({ size: 2 }));
    const text = 'SELECT 3 AS three';
    for (let attempt = 1; attempt <= 20; attempt++)
      await expect(
        database.transaction(({ query }) => Promise.all([query('SELECT 1 / 0'), query(text)])),
      ).rejects.toThrow('division by zero');
    expect(await database.query(text)).toEqual([{ three: 3 }]);
  });

  test('delivers notifications, which use the direct connection', async () => {
    const database = await through(await opened({}));
    const { promise, resolve } = Promise.withResolvers<string>();
    const channel = await database.listen('pooled', { heard: resolve, resumed: () => undefined });
    channel.notify('hello');
    expect(await promise).toBe('hello');
    await channel.stop();
  });
});
