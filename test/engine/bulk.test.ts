import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type BulkRow,
  inserting,
  insertPart,
  insertRows,
  updateRows,
  upsertRows,
  writeInOrder,
  writeTogether,
} from '../../src/platform/db/bulk.ts';
import { writeOrBisect } from '../../src/platform/db/savepoint.ts';
import type { App, Context } from '../../src/request/context.ts';
import { inTransaction } from '../../src/request/transaction.ts';
import { closeApp, MovableClock, newEnvironment, openApp } from '../support/billing-world.ts';

let app: App;
let ctx: Context;

beforeAll(async () => {
  app = await openApp(new MovableClock('2027-01-31T09:30:00.000Z'));
});
beforeEach(async () => {
  ctx = await newEnvironment(app);
});
afterAll(() => closeApp(app));

const customer = (index: number, changes: Partial<BulkRow<'Customer'>> = {}): BulkRow<'Customer'> => ({
  id: `cus_${index}`,
  seq: 9_007_199_254_740_993n + BigInt(index),
  externalId: `"quoted" \\ ${index}`,
  email: `${index}@world.test`,
  emailKey: `${index}@world.test`,
  fullName: 'Zoë – 名前',
  searchText: 'zoe – 名前',
  taxDocument: null,
  documentType: null,
  timezone: 'UTC',
  address: { line1: 'Street 1', city: 'Town', postalCode: '1', country: 'DE' },
  country: 'DE',
  requireBudget: false,
  hasMoneyOnAccount: false,
  sortMrr: 0n,
  sortOutstanding: 0n,
  sortPaid: 0n,
  sortStatus: 0n,
  sortPlan: '',
  metadata: { nested: [1, { deep: true }], nothing: null },
  createdAt: new Date('2027-01-31T09:30:00.123Z'),
  updatedAt: new Date('2027-01-31T09:30:00.123Z'),
  deletedAt: null,
  ...changes,
});

const stored = () => ctx.db.customer.findMany({ where: {} });
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

describe('writeTogether', () => {
  const texts = ['"quoted" \\ {a,b}', 'NULL', '', 'two\nlines', "it's 名前 🌍", ' '];

  test.each([1, 2, 6])(
    'stores %i rows with columns of every type, which Prisma reads back unchanged',
    async (count) => {
      const rows = texts.slice(0, count).map((text, index) =>
        customer(index, {
          externalId: index === 3 ? null : `${index}${text}`,
          fullName: text,
          address: index % 2 === 1 ? null : { line1: text, city: 'Town', postalCode: '1', country: 'DE' },
          metadata: { [text]: [text, null, { deep: index }] },
          createdAt: new Date(Date.UTC(2027, 0, 1 + index)),
        }),
      );
      await writeTogether(ctx.sql, [insertPart('Customer', rows)]);
      expect((await stored()).toSorted(byId)).toEqual(
        rows.map((row) => ({ environmentId: ctx.environment.id, ...row })),
      );
    },
  );

  test('stores a string shared by all rows, regardless of its content, and several sets of rows in one write', async () => {
    const parts = texts.map((fullName, index) =>
      insertPart('Customer', [
        customer(2 * index, { fullName, metadata: { fullName } }),
        customer(2 * index + 1, { fullName, metadata: { fullName } }),
      ]),
    );
    await writeTogether(ctx.sql, parts);
    const names = (await stored()).map(({ id, fullName, metadata }) => [id, fullName, metadata]);
    expect(names.toSorted()).toEqual(
      texts
        .flatMap((fullName, index) =>
          [0, 1].map((next) => [`cus_${2 * index + next}`, fullName, { fullName }]),
        )
        .toSorted(),
    );
  });

  test('throws if a row lacks a column', () => {
    for (const name of ['id', 'email'] as const) {
      const { [name]: _left, ...partial } = customer(2);
      // The type prevents this, but an incorrect cast could bypass it.
      expect(() => insertPart('Customer', [customer(1), partial as BulkRow<'Customer'>])).toThrow(
        `A row has no value for ${name}.`,
      );
    }
  });
});

describe('insertRows', () => {
  test('stores columns of every type, which Prisma reads back unchanged', async () => {
    await insertRows(ctx.sql, 'Customer', [customer(1), customer(2, { address: null, externalId: null })]);
    expect((await stored()).toSorted(byId)).toEqual([
      { environmentId: ctx.environment.id, ...customer(1) },
      { environmentId: ctx.environment.id, ...customer(2, { address: null, externalId: null }) },
    ]);
  });

  test('throws if a row lacks a column, and writes nothing', async () => {
    const { email: _email, ...partial } = customer(2);
    // The type prevents this, but an incorrect cast could bypass it.
    await expect(
      insertRows(ctx.sql, 'Customer', [customer(1), partial as BulkRow<'Customer'>]),
    ).rejects.toThrow('A row has no value for email.');
    expect(await stored()).toEqual([]);
  });

  test('stores arrays of text', async () => {
    const key: BulkRow<'ApiKey'> = {
      id: 'key_1',
      seq: 1n,
      name: 'k',
      prefix: 'ck_',
      scopes: ['read', 'a, "b"'],
      permissions: [],
      expiresAt: null,
      lastUsedAt: null,
      policy: null,
      createdAt: new Date(0),
    };
    await insertRows(ctx.sql, 'ApiKey', [key]);
    expect(await ctx.db.apiKey.findMany({ where: {} })).toEqual([
      { environmentId: ctx.environment.id, ...key },
    ]);
  });
});

describe('updateRows and upsertRows', () => {
  test('replaces all columns of the given rows, in one environment only', async () => {
    const other = await newEnvironment(app);
    for (const one of [ctx, other]) await insertRows(one.sql, 'Customer', [customer(1), customer(2)]);
    await updateRows(ctx.sql, 'Customer', [customer(2, { email: 'new@world.test', address: null })]);
    expect((await stored()).toSorted(byId).map(({ email, address }) => [email, address === null])).toEqual([
      ['1@world.test', false],
      ['new@world.test', true],
    ]);
    expect(
      (await other.db.customer.findMany({ where: {} })).toSorted(byId).map(({ email }) => email),
    ).toEqual(['1@world.test', '2@world.test']);
  });

  test("throws if an updated row doesn't exist", async () => {
    await insertRows(ctx.sql, 'Customer', [customer(1)]);
    const update = inTransaction(ctx, (tx) =>
      updateRows(tx.sql, 'Customer', [customer(1, { email: 'x@world.test' }), customer(2)]),
    );
    await expect(update).rejects.toThrow('2 rows of Customer were to be updated, 1 were.');
    expect((await stored()).map(({ email }) => email)).toEqual(['1@world.test']);
  });

  test('inserts new rows and replaces existing rows with an upsert', async () => {
    await insertRows(ctx.sql, 'Customer', [customer(1)]);
    await upsertRows(ctx.sql, 'Customer', [customer(1, { email: 'new@world.test' }), customer(2)]);
    expect((await stored()).toSorted(byId).map(({ email }) => email)).toEqual([
      'new@world.test',
      '2@world.test',
    ]);
  });
});

describe('writeInOrder', () => {
  test('prepares the next write during a write, and throws the first error after all writes have finished', async () => {
    const done: string[] = [];
    const write = (name: string) => () => {
      done.push(`${name} ready`);
      return {
        run: async () => {
          await new Promise(setImmediate);
          done.push(name);
          if (name !== 'a') throw new Error(`${name} failed`);
        },
      };
    };
    await expect(writeInOrder(ctx.sql, [write('a'), write('b'), write('c')])).rejects.toThrow('b failed');
    expect(done).toEqual(['a ready', 'b ready', 'c ready', 'a', 'b', 'c']);
  });

  test("treats a write that can't be prepared like a write that the database rejects", async () => {
    const { length } = await stored();
    const incomplete = () => inserting('Customer', [{ id: 'cus_8' } as never]);
    const writing = inTransaction(ctx, (tx) =>
      writeInOrder(tx.sql, [() => inserting('Customer', [customer(7)]), incomplete]),
    );
    await expect(writing).rejects.toThrow('A row has no value for');
    expect(await stored()).toHaveLength(length);
  });
});

describe('writeOrBisect', () => {
  test('writes the valid rows in order, and returns the rejected rows with their errors', async () => {
    const rows = Array.from({ length: 9 }, (_none, index) =>
      customer(
        index,
        index === 7 ? { externalId: '"quoted" \\ 2' } : index === 4 ? { email: 'a\u0000b' } : {},
      ),
    );
    const passes: number[] = [];
    const rejected = await inTransaction(ctx, (tx) => {
      if (tx.transaction === null) throw new Error('No transaction.');
      return writeOrBisect(tx.transaction.query, rows, async (part) => {
        await insertRows(tx.sql, 'Customer', part);
        passes.push(part.length);
      });
    });
    expect(rejected.map(({ item }) => item.id)).toEqual(['cus_4', 'cus_7']);
    expect((await stored()).toSorted(byId).map(({ id }) => id)).toEqual([
      'cus_0',
      'cus_1',
      'cus_2',
      'cus_3',
      'cus_5',
      'cus_6',
      'cus_8',
    ]);
    expect(passes.reduce((sum, size) => sum + size, 0)).toBe(7);
  });

  test("throws any error that isn't caused by a row", async () => {
    const failing = inTransaction(ctx, (tx) => {
      if (tx.transaction === null) throw new Error('No transaction.');
      const { query } = tx.transaction;
      return writeOrBisect(query, [1, 2], async () => {
        await query(`DO $$ BEGIN RAISE EXCEPTION 'gone' USING ERRCODE = '57014'; END $$`);
      });
    });
    await expect(failing).rejects.toThrow('gone');
  });
});
