import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/pool.ts';
import { survivors } from '../support/garbage-collection.ts';
import { serverUrl, singleConnection } from '../support/template.ts';

describe.skipIf(serverUrl() === undefined)('a connection to a PostgreSQL server', () => {
  let database: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ database, close } = await singleConnection());
  });
  afterAll(() => close());

  it('releases rows for garbage collection, inside and outside transactions', async () => {
    const text = 'SELECT n FROM generate_series(1, 100) AS n';
    expect(await survivors(() => database.query(text))).toBe(0);
    expect(await survivors(() => database.transaction(({ query }) => query(text)))).toBe(0);
    expect(await survivors(() => database.transaction(async ({ last }) => last(text)))).toBe(0);
  });

  it('returns the same rows each time that it executes a statement', async () => {
    const text = `SELECT n::bigint AS n, '2026-01-31 12:00:00Z'::timestamptz AS at, '{"a":1}'::jsonb AS data FROM generate_series(1, $1::int) AS n`;
    const row = { n: 1n, at: new Date('2026-01-31T12:00:00Z'), data: { a: 1 } };
    const rowOf = ([n, at, data]: readonly unknown[]) => ({ n, at, data });
    for (let time = 0; time < 3; time++) {
      expect(await database.query(text, [1])).toEqual([row]);
      expect(await database.query(text, [1], rowOf)).toEqual([row]);
      expect(await database.query(text, [0])).toEqual([]);
      expect(await database.transaction(({ query }) => query(text, [1]))).toEqual([row]);
    }
  });

  it("adds the caller's stack trace to the error of a failed statement", async () => {
    const failed = database.transaction(async ({ query }) => {
      await query('SELECT 1 / 0');
    });
    await expect(failed).rejects.toMatchObject({
      code: '22012',
      stack: expect.stringContaining('answering-client.test.ts'),
    });
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
