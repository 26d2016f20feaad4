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

describe('a statement that checks what it was decided on', () => {
  test('answers true where the condition holds', async () => {
    expect(await ask('1 = 1', 'staleSnapshot')).toEqual([{ holds: true }]);
  });

  test.each([
    ['staleSnapshot', 'QT001'],
    ['clockMoved', 'QT002'],
  ] as const)('fails with %s (%s) where it does not hold, or is unknown', async (error, code) => {
    for (const condition of ['1 = 2', 'NULL']) {
      const failure = await ask(condition, error);
      expect(failure).toMatchObject({ code });
      expect(isRaised(failure, error)).toBe(true);
    }
  });

  test('tells one error from another and from those of the server', async () => {
    const failure = await ask('false', 'clockMoved');
    expect(isRaised(failure, 'staleSnapshot')).toBe(false);
    const foreign = await database.query('SELECT 1 / 0').catch((error: unknown) => error);
    expect([foreign, isRaised(foreign, 'staleSnapshot')]).toEqual([expect.any(Error), false]);
  });

  test('fails for one row of many, and leaves nothing written', async () => {
    const text = `WITH written AS (INSERT INTO "Setting" (name, value) VALUES ('raised', '1') RETURNING 1),
      checked AS (SELECT ${orRaise('n < 3', 'staleSnapshot')} AS holds FROM generate_series(1, 3) AS n)
      SELECT bool_and(holds) FROM checked`;
    await expect(database.query(text)).rejects.toMatchObject({ code: 'QT001' });
    expect(await database.query('SELECT 1 FROM "Setting" WHERE name = $1', ['raised'])).toEqual([]);
  });
});
