import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/pool.ts';
import { isRaised, orRaise } from '../../src/platform/db/raised-errors.ts';
import { freshDatabase } from '../support/template.ts';

let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ database, drop } = await freshDatabase());
});
afterAll(() => drop());

const ask = (condition: string, error: Parameters<typeof orRaise>[1]): Promise<unknown> =>
  database.query(`SELECT ${orRaise(condition, error)} AS holds`).catch((failure: unknown) => failure);

describe('a statement with a checked condition', () => {
  test('returns true if the condition is met', async () => {
    expect(await ask('1 = 1', 'staleSnapshot')).toEqual([{ holds: true }]);
  });

  test.each([
    ['staleSnapshot', 'QT001'],
    ['clockMoved', 'QT002'],
  ] as const)('fails with %s (%s) if the condition is false or null', async (error, code) => {
    for (const condition of ['1 = 2', 'NULL']) {
      const failure = await ask(condition, error);
      expect(failure).toMatchObject({ code });
      expect(isRaised(failure, error)).toBe(true);
    }
  });

  test('fails with an error that can be distinguished from all other errors, including server errors', async () => {
    const failure = await ask('false', 'clockMoved');
    expect(isRaised(failure, 'staleSnapshot')).toBe(false);
    const foreign = await database.query('SELECT 1 / 0').catch((error: unknown) => error);
    expect([foreign, isRaised(foreign, 'staleSnapshot')]).toEqual([expect.any(Error), false]);
  });

  test('fails if one of many rows violates the condition, and writes nothing', async () => {
    const text = `WITH written AS (INSERT INTO "Setting" (name, value) VALUES ('raised', '1') RETURNING 1),
      checked AS (SELECT ${orRaise('n < 3', 'staleSnapshot')} AS holds FROM generate_series(1, 3) AS n)
      SELECT bool_and(holds) FROM checked`;
    await expect(database.query(text)).rejects.toMatchObject({ code: 'QT001' });
    expect(await database.query('SELECT 1 FROM "Setting" WHERE name = $1', ['raised'])).toEqual([]);
  });
});
