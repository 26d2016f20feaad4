import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/infra/db.ts';
import { freshDatabase } from '../support/template.ts';
import { survivors } from '../support/young.ts';

const isServer = process.env['TEST_DATABASE_URL'] !== undefined;

describe.runIf(isServer)('a connection to a server', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase();
    database = await openDatabase({ databaseUrl: fresh.url, databasePoolSize: 1, dataDir: '' });
  });
  afterAll(async () => {
    await database.close();
    await fresh.database.close();
    await fresh.drop();
  });

  it('lets rows go as soon as young objects are collected, in transactions and outside', async () => {
    const text = 'SELECT n FROM generate_series(1, 100) AS n';
    expect(await survivors(() => database.query(text))).toBe(0);
    expect(await survivors(() => database.transaction(({ query }) => query(text)))).toBe(0);
    expect(await survivors(() => database.transaction(async ({ last }) => last(text)))).toBe(0);
  });

  it('tells where a statement that failed was asked for', async () => {
    const failed = database.transaction(async ({ query }) => {
      await query('SELECT 1 / 0');
    });
    await expect(failed).rejects.toMatchObject({ code: '22012', stack: expect.stringContaining('answering-client.test.ts') });
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
