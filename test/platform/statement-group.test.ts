import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Query } from '../../src/platform/db/pool.ts';
import { serverUrl, singleConnection } from '../support/template.ts';

const numbered = 'SELECT n, $1::text AS word FROM generate_series(1, $2::integer) AS n';
const moment = 'SELECT $1::timestamptz AS at, $2::bigint AS big';
const written = 'INSERT INTO "Grouped" (id) VALUES ($1)';
const divided = 'SELECT 1 / $1::integer AS part';

// A connection groups statements only after it has executed each of them, so every case runs several times on one connection.
const times = [1, 2, 3, 4];

describe.skipIf(serverUrl() === undefined)('a statement that runs concurrently in a transaction', () => {
  let database: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ database, close } = await singleConnection());
    await database.script('CREATE TABLE "Grouped" (id integer PRIMARY KEY)');
  });
  afterAll(() => close());

  const stored = async (): Promise<unknown[]> =>
    (await database.query<{ id: number }>('SELECT id FROM "Grouped" ORDER BY id')).map(({ id }) => id);
  const all = (query: Query, id: number): Promise<unknown[]> =>
    Promise.all([
      query(numbered, [`word "${id}"`, 2]),
      query(moment, ['2026-01-02T03:04:05Z', 9007199254740993n]),
      query(written, [id]),
    ]);

  it('receives its own rows', async () => {
    for (const time of times) {
      const answers = await database.transaction(({ query }) => all(query, time));
      const word = `word "${time}"`;
      expect(answers).toEqual([
        [
          { n: 1, word },
          { n: 2, word },
        ],
        [{ at: new Date('2026-01-02T03:04:05Z'), big: 9007199254740993n }],
        [],
      ]);
    }
    expect(await stored()).toEqual([1, 2, 3, 4]);
  });

  it('fails and is rolled back if an earlier statement failed', async () => {
    const before = await stored();
    for (const time of times) {
      const requested = database.transaction(async ({ query }) => {
        const states = await Promise.allSettled([
          query(written, [100 + time]),
          query(divided, [0]),
          query(written, [200 + time]),
        ]);
        expect(states.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
        await Promise.all([query(divided, [0])]);
      });
      await expect(requested).rejects.toMatchObject({ code: '25P02' });
      expect(await stored()).toEqual(before);
    }
  });

  it('prevents the commit if it fails', async () => {
    const before = await stored();
    for (const time of times) {
      const requested = database.transaction(async ({ query, last }) => {
        await query(written, [300 + time]);
        await last(divided, [0]);
      });
      await expect(requested).rejects.toMatchObject({ code: '22012' });
      expect(await stored()).toEqual(before);
      await database.transaction(async ({ last }) => last(divided, [1]));
    }
    await database.transaction(async ({ last }) => last(written, [5]));
    expect(await stored()).toEqual([...before, 5]);
  });

  it('fails if its connection is closed, and later statements use a new connection', async () => {
    for (const _time of times)
      await database.transaction(({ query }) =>
        Promise.all([query(divided, [1]), query('SELECT pg_backend_pid()')]),
      );
    const cut = database.transaction(({ query }) =>
      Promise.all([
        query(divided, [1]),
        query('SELECT pg_terminate_backend(pg_backend_pid())'),
        query(divided, [1]),
      ]),
    );
    await expect(cut).rejects.toThrow();
    for (const _time of times)
      expect(await database.transaction(({ query }) => query(divided, [1]))).toEqual([{ part: 1 }]);
  });
});
