import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/db/open.ts';
import { type Database, DatabaseBusyError, type Transaction } from '../../src/platform/db/pool.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

// Within a transaction, the driver and Prisma share one connection.

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ database, drop } = await freshDatabase());
});
afterAll(() => drop());

const put = ({ query }: Transaction, name: string) =>
  query('INSERT INTO "Setting" (name, value) VALUES ($1, $1)', [name]);
const create = ({ prisma }: Transaction, name: string) =>
  prisma.setting.create({ data: { name, value: name } });
const named = (prefix: string) =>
  database.query('SELECT name FROM "Setting" WHERE name LIKE $1 ORDER BY name', [`${prefix}%`]);
const isolated = <T>(url: string | undefined, work: (database: Database) => Promise<T>) => {
  const own = openDatabase({ databaseUrl: url, databasePoolSize: 1, dataDir: '' });
  return own.then(async (opened) => work(opened).finally(() => opened.close()));
};

describe('a transaction', () => {
  test('includes writes by both Prisma and the driver, and commits both', async () => {
    await database.transaction(async (transaction) => {
      await put(transaction, 'both-driver');
      expect(await transaction.prisma.setting.count({ where: { name: 'both-driver' } })).toBe(1);
      await create(transaction, 'both-prisma');
      expect(
        await transaction.query('SELECT name FROM "Setting" WHERE name = $1', ['both-prisma']),
      ).toHaveLength(1);
      expect(await countOf(transaction, 'both')).toBe(2);
    });
    expect(await named('both')).toEqual([{ name: 'both-driver' }, { name: 'both-prisma' }]);
  });

  test('rolls back writes by both Prisma and the driver if it fails, in any order', async () => {
    const failing = (last: (transaction: Transaction) => Promise<unknown>) =>
      database.transaction(async (transaction) => {
        await put(transaction, 'none-driver');
        await create(transaction, 'none-prisma');
        await last(transaction);
      });
    await expect(failing(() => Promise.reject(new Error('changed my mind')))).rejects.toThrow(
      'changed my mind',
    );
    await expect(failing((transaction) => put(transaction, 'none-driver'))).rejects.toThrow(/duplicate key/);
    await expect(failing((transaction) => create(transaction, 'none-prisma'))).rejects.toThrow(
      /Unique constraint/,
    );
    expect(await named('none')).toEqual([]);
  });

  test('supports concurrent calls by Prisma and the driver', async () => {
    await database.transaction(async (transaction) => {
      await Promise.all([
        create(transaction, 'side-a'),
        put(transaction, 'side-b'),
        create(transaction, 'side-c'),
        put(transaction, 'side-d'),
      ]);
    });
    expect(await named('side')).toHaveLength(4);
  });

  test('is retried after a deadlock, without the writes of the first attempt', async () => {
    let attempts = 0;
    await database.transaction(async (transaction) => {
      attempts++;
      await put(transaction, 'again');
      await transaction.prisma.setting.count({});
      if (attempts === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    expect(attempts).toBe(2);
    expect(await named('again')).toEqual([{ name: 'again' }]);
  });
});

describe.each([
  ['the driver', put],
  ['Prisma', create],
] as readonly [who: string, write: (transaction: Transaction, name: string) => Promise<unknown>][])(
  'a statement from %s in a finished transaction',
  (who, write) => {
    const prefix = `over-${who.at(-1)}`;
    /** Waits long enough to notice a statement that was sent even though the transaction had ended. */
    const aMoment = () => new Promise((resolve) => setTimeout(resolve, 100));

    test('is rejected if the transaction fails while a statement is pending', async () => {
      let asked: Promise<unknown> | undefined;
      const failing = database.transaction(async (transaction) => {
        await put(transaction, `${prefix}-first`);
        asked = Promise.resolve(write(transaction, `${prefix}-asked`));
        asked.catch(() => undefined);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      await Promise.allSettled([asked, aMoment()]);
      expect(await named(prefix)).toEqual([]);
    });

    test('is rejected if one branch continues after another branch has failed', async () => {
      let late: Promise<unknown> | undefined;
      const failing = database.transaction(async (transaction) => {
        const goesOn = write(transaction, `${prefix}-before`).then(() => {
          late = Promise.resolve(write(transaction, `${prefix}-late`));
          return late;
        });
        goesOn.catch(() => undefined);
        await Promise.all([goesOn, Promise.reject(new Error('changed my mind'))]);
      });
      await expect(failing).rejects.toThrow('changed my mind');
      await aMoment();
      if (late !== undefined) await expect(late).rejects.toThrow();
      expect(await named(prefix)).toEqual([]);
    });

    test('is rejected if the transaction has been committed', async () => {
      const kept = await database.transaction(async (transaction) => {
        await put(transaction, `${prefix}-kept`);
        return transaction;
      });
      await expect(Promise.resolve().then(() => write(kept, `${prefix}-more`))).rejects.toThrow();
      await aMoment();
      expect(await named(prefix)).toEqual([{ name: `${prefix}-kept` }]);
    });
  },
);

/** Returns the number of settings with a prefix, as Prisma reads them in the transaction. */
const countOf = ({ prisma }: Transaction, prefix: string): Promise<number> =>
  prisma.setting.count({ where: { name: { startsWith: prefix } } });

describe.runIf(serverUrl() !== undefined)('a transaction on a PostgreSQL server', () => {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  test.each([
    ['the driver', (transaction: Transaction) => put(transaction, 'late-after')],
    ['Prisma', (transaction: Transaction) => create(transaction, 'late-after')],
    ['nobody', () => Promise.resolve()],
  ])(
    'is rolled back if it takes too long, even if %s is called later, and releases its connection',
    async (_who, next) => {
      const { url, database: unused, drop: dropOwn } = await freshDatabase();
      await unused.close();
      await isolated(url, async (own) => {
        const late = own.transaction(
          async (transaction) => {
            await put(transaction, 'late-driver');
            await create(transaction, 'late-prisma');
            await pause(400);
            await next(transaction);
          },
          { timeoutMs: 150 },
        );
        await expect(late).rejects.toThrow(DatabaseBusyError);
        expect(await own.query('SELECT name FROM "Setting" WHERE name LIKE $1', ['late%'])).toEqual([]);
        await own.transaction(({ query }) => query('SELECT 1'));
      });
      await dropOwn();
    },
  );

  test('leaves no open transaction on its connection if it fails before its first statement', async () => {
    const { url, database: unused, drop: dropOwn } = await freshDatabase();
    await unused.close();
    await isolated(url, async (own) => {
      const early = own.transaction(() => Promise.reject(new Error('early')));
      await expect(early).rejects.toThrow('early');
      // `now()` stays constant within a transaction.
      const now = () => own.query<{ now: string }>('SELECT now()::text AS now');
      const first = await now();
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await now()).not.toEqual(first);
    });
    await dropOwn();
  });

  test('throws if its connection is lost, and the next transaction uses a new connection', async () => {
    const { url, database: unused, drop: dropOwn } = await freshDatabase();
    await unused.close();
    await isolated(url, async (own) => {
      const cut = own.transaction(async (transaction) => {
        await put(transaction, 'cut');
        await transaction.query('SELECT pg_terminate_backend(pg_backend_pid())');
      });
      await expect(cut).rejects.toThrow(/terminat/);
      expect(
        await own.transaction(({ query }) => query('SELECT name FROM "Setting" WHERE name = $1', ['cut'])),
      ).toEqual([]);
    });
    await dropOwn();
  });
});
