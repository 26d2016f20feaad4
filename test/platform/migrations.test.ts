import { expect, it } from 'vitest';
import { difference } from '../../prisma/difference.ts';
import { MigrationError, migrate, statementsOf } from '../../src/platform/db/migrate.ts';
import { readMigrations } from '../../src/platform/db/migrations.ts';
import { openPglite } from '../../src/platform/db/pglite.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { callsOnColumnsIn, readMutableFunctions } from '../support/stable-calls.ts';

/** Runs `work` on an embedded database in memory. A prepared database is unpacked from `prepared`. */
async function inMemory(work: (database: Database) => Promise<void>, prepared?: string): Promise<void> {
  const database = await openPglite('memory:', prepared);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

it('the migrations create the tables that the Prisma models describe', async () => {
  expect(await difference()).toBe('');
});

it('the migrations contain no update or deletion that Citus rejects', () =>
  inMemory(async (database) => {
    const mutable = await readMutableFunctions(database.query);
    const rejected: string[] = [];
    for (const { name, sql } of await readMigrations())
      for (const statement of statementsOf(sql)) {
        const isChange = /^(UPDATE|DELETE FROM) /.test(statement);
        if (isChange && (await callsOnColumnsIn(database, statement, mutable)))
          rejected.push(`${name}: ${statement}`);
        await database.query(statement);
      }
    expect(rejected).toEqual([]);
  }, '/no-prepared-database'));

it('accepts a database that applied the replaced version of a migration, and rejects any other version', () =>
  inMemory(async (database) => {
    await migrate(database);
    const migrations = await readMigrations();
    const changed = migrations.filter(({ replaced }) => replaced.length > 0);
    expect(changed.length).toBeGreaterThan(0);
    const store = (name: string, checksum: string) =>
      database.query('UPDATE "_prisma_migrations" SET checksum = $2 WHERE migration_name = $1', [
        name,
        checksum,
      ]);
    for (const { name, checksum, replaced } of changed) {
      for (const earlier of replaced) {
        await store(name, earlier);
        expect(await migrate(database)).toEqual([]);
      }
      await store(name, '0'.repeat(64));
      await expect(migrate(database)).rejects.toThrow(MigrationError);
      await store(name, checksum);
    }
  }));

it('keeps the events that were sent for system limits', () =>
  inMemory(async (database) => {
    const migration = (await readMigrations()).find(({ name }) => name.endsWith('_system_limits'));
    await database.query('CREATE TABLE "UsageCounter" (id TEXT, "alertLevel" INTEGER)');
    await database.query('CREATE TABLE "ConsumptionAccount" (id TEXT, pools JSONB)');
    await database.query(`INSERT INTO "UsageCounter" VALUES ('a', 0), ('b', 1), ('c', 2)`);
    const watched = { limitId: 'lim_1', name: '"isLowSent": true' };
    const pools = [
      {},
      {
        credits: { amount: '5', granted: '90', isLowSent: true, fall: { watches: [watched] } },
        balance: { amount: '7', granted: '0', isLowSent: false },
      },
    ];
    for (const [id, value] of pools.entries())
      await database.query('INSERT INTO "ConsumptionAccount" VALUES ($1, $2)', [`${id}`, value]);
    for (const statement of statementsOf(migration?.sql ?? '')) await database.query(statement);
    const counters = await database.query('SELECT crossed FROM "UsageCounter" ORDER BY id');
    expect(counters).toEqual([{ crossed: 0 }, { crossed: 1 }, { crossed: 2 }]);
    const accounts = await database.query('SELECT pools FROM "ConsumptionAccount" ORDER BY id');
    expect(accounts).toEqual([
      { pools: {} },
      {
        pools: {
          credits: { amount: '5', granted: '90', crossed: 1, fall: { watches: [watched] } },
          balance: { amount: '7', granted: '0', crossed: 0 },
        },
      },
    ]);
  }, '/no-prepared-database'));
