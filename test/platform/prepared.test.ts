import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../src/platform/db/migrate.ts';
import { readMigrations } from '../../src/platform/db/migrations.ts';
import { openPglite } from '../../src/platform/db/pglite.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { makeDatabaseFolder, preparedFile } from '../../src/platform/db/prepared.ts';
import { serverUrl } from '../support/template.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quittance-prepared-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Queries against the database catalogs that return everything that migrations create. */
const schemaQueries = [
  `SELECT table_name, column_name, data_type, udt_name, is_nullable, column_default, collation_name, character_maximum_length, numeric_precision
     FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
  `SELECT conrelid::regclass::text AS table, conname, pg_get_constraintdef(oid) AS text FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
  `SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2`,
  `SELECT tgrelid::regclass::text AS table, tgname, pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
  `SELECT proname, pg_get_functiondef(oid) AS text FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' ORDER BY 1, 2`,
  `SELECT typname, enumlabel FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid ORDER BY 1, enumsortorder`,
  `SELECT sequencename, data_type::text, start_value, increment_by, last_value FROM pg_sequences ORDER BY 1`,
  `SELECT relname, reloptions FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  `SELECT extname, extversion FROM pg_extension ORDER BY 1`,
  `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM "_prisma_migrations" ORDER BY 1`,
];

async function schemaOf(database: Database): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const text of schemaQueries) answers.push(await database.query(text));
  return answers;
}

/** Opens and migrates a data directory. Returns the applied migrations and the resulting schema. */
async function started(dataDir: string, prepared?: string) {
  const database = await openPglite(dataDir, prepared);
  try {
    return { applied: await migrate(database), schema: await schemaOf(database) };
  } finally {
    await database.close();
  }
}

// PostgreSQL servers don't use the prepared database.
describe.skipIf(serverUrl() !== undefined)('the prepared database', () => {
  it('equals a newly migrated, empty database without pending migrations, on disk and in memory', async () => {
    const migrated = await started(path.join(directory, 'migrated'), path.join(directory, 'nothing'));
    expect(migrated.applied).toEqual((await readMigrations()).map(({ name }) => name));
    expect(await started(path.join(directory, 'prepared'))).toEqual({ applied: [], schema: migrated.schema });
    expect(await started('memory:')).toEqual({ applied: [], schema: migrated.schema });
  });

  /**
   * Creates a database folder from cached archives. Returns the folder's files, and whether the database was initialized instead of
   * unpacked.
   */
  async function made(archives: readonly string[]) {
    const cache = path.join(directory, 'cache');
    const target = path.join(directory, 'postgres');
    await mkdir(cache);
    for (const file of archives) await writeFile(path.join(cache, path.basename(file)), 'no archive');
    let initialized = false;
    await makeDatabaseFolder(target, cache, async (folder) => {
      initialized = true;
      await mkdir(folder);
      await writeFile(path.join(folder, 'PG_VERSION'), '');
    });
    return { initialized, files: await readdir(target) };
  }

  it("is ignored if its version doesn't match", async () => {
    expect(await made(['embedded-0123456789abcdef.tar'])).toEqual({
      initialized: true,
      files: ['PG_VERSION'],
    });
  });

  it('is ignored if the archive is damaged', async () => {
    expect(await made([await preparedFile('')])).toEqual({ initialized: true, files: ['PG_VERSION'] });
  });

  it('is unpacked again if a previous start was killed while unpacking', async () => {
    const dataDir = path.join(directory, 'data');
    await mkdir(path.join(dataDir, 'postgres.new/base'), { recursive: true });
    await writeFile(path.join(dataDir, 'postgres.new/PG_VERSION'), '1');
    expect((await started(dataDir)).applied).toEqual([]);
    expect((await readdir(dataDir)).toSorted()).toEqual(['lock', 'lock.pid', 'postgres']);
  });

  it("doesn't replace an existing database", async () => {
    const dataDir = path.join(directory, 'data');
    const first = await openPglite(dataDir);
    await first.script('CREATE TABLE own (id integer)');
    await first.close();
    const again = await openPglite(dataDir);
    expect(await again.query('SELECT count(*) FROM own')).toEqual([{ count: 0n }]);
    await again.close();
  });
});
