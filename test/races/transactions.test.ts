import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/db/open.ts';
import { inTransaction } from '../../src/request/transaction.ts';
import { openDoor } from '../rest/door.ts';
import { watchChanges } from '../support/changes.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

describe('a database transaction', () => {
  const outer = 'The outer database client was used inside a transaction.';

  test("rejects the outer Prisma client, the outer driver, and a nested transaction, and doesn't hang", async () => {
    const ctx = await t.context();
    await inTransaction(ctx, async () => {
      await expect(ctx.db.customer.count({})).rejects.toThrow(outer);
      await expect(t.app.database.prisma.organization.count()).rejects.toThrow(outer);
      await expect((async () => ctx.sql('SELECT 1 WHERE $1 <> $1'))()).rejects.toThrow(outer);
      await expect((async () => t.app.database.query('SELECT 1'))()).rejects.toThrow(outer);
      await expect((async () => t.app.database.transaction(async () => undefined))()).rejects.toThrow(outer);
    });
  });

  test('works with its own context, and the outer context works again after it ends', async () => {
    const ctx = await t.context();
    expect(await inTransaction(ctx, (tx) => tx.db.customer.count({}))).toBe(0);
    expect(await ctx.db.customer.count({})).toBe(0);
  });

  test('is rolled back on an error', async () => {
    const ctx = await t.context();
    const changes = await watchChanges(t.app.database.query);
    const failing = inTransaction(ctx, async (tx) => {
      await tx.sql('UPDATE "EnvironmentCounter" SET seq = seq + 1000 WHERE "environmentId" = $1');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await changes()).toEqual([]);
  });
});

describe.runIf(serverUrl() !== undefined)('an exhausted connection pool', () => {
  test('rejects a request with 503 and Retry-After, and accepts the next request', async () => {
    const { url, database: unused, drop } = await freshDatabase();
    await unused.close();
    const database = await openDatabase({ databaseUrl: url, databasePoolSize: 2, dataDir: '' });
    const door = await openDoor({}, { database });
    const over = Promise.withResolvers<void>();
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = begun.map((one) =>
      database.transaction(async () => {
        one.resolve();
        await over.promise;
      }),
    );
    await Promise.all(begun.map(({ promise }) => promise));
    const rejected = await door.ask('POST', '/customers', { body: { email: 'busy@shop.test' } });
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(rejected.body).toMatchObject({ error: { type: 'internal_error', code: 'internal_error' } });
    over.resolve();
    await Promise.all(holding);
    expect((await door.ask('POST', '/customers', { body: { email: 'busy@shop.test' } })).status).toBe(201);
    await database.close();
    await drop();
  });
});
