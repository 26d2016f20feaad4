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
