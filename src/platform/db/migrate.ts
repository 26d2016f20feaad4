import { type Migration, readMigrations } from './migrations.ts';
import { distributedTable, placingStatement } from './placement.ts';
import type { Database, Query } from './pool.ts';

/** The stored history and the committed files disagree. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

// Prisma's own table, so that `prisma migrate deploy` reads the same history.
const historyTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

/** The statements of a migration file: what stands between semicolons at line ends, comments dropped. */
const statements = (sql: string): string[] =>
  sql
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

async function isApplied(query: Query, migration: Migration): Promise<boolean> {
  const [row] = await query<{ checksum: string }>(
    'SELECT checksum FROM "_prisma_migrations" WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL',
    [migration.name],
  );
  if (row !== undefined && row.checksum !== migration.checksum) {
    throw new MigrationError(
      `Migration ${migration.name} was changed after it had been applied to this database.`,
    );
  }
  return row !== undefined;
}

const tooOld =
  'This database was made before the first release, by a version whose migrations no longer exist. Start over with `npm run db:reset`, which deletes all its data.';

/** The migrations the database does not have. Throws MigrationError when an applied file was edited, and when one it has is gone. */
async function missing(query: Query): Promise<Migration[]> {
  const committed = await readMigrations();
  const names = new Set(committed.map(({ name }) => name));
  const applied = await query<{ migration_name: string }>(
    'SELECT migration_name FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  );
  if (applied.some(({ migration_name }) => !names.has(migration_name))) throw new MigrationError(tooOld);
  const migrations: Migration[] = [];
  for (const migration of committed) if (!(await isApplied(query, migration))) migrations.push(migration);
  return migrations;
}

/** Runs the statements of a migration. Where rows are distributed over several servers, a new table is placed before a foreign key can name it. */
async function apply(query: Query, { sql }: Migration): Promise<void> {
  const beside = await distributedTable(query);
  if (beside !== null) await query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
  for (const statement of statements(sql)) {
    await query(statement);
    const [, table] = /^CREATE TABLE "(\w+)"/.exec(statement) ?? [];
    if (beside === null || table === undefined) continue;
    const placing = placingStatement(table, beside);
    if (placing !== null) await query(placing);
  }
}

/**
 * Applies the committed migrations that the database does not have, each in one transaction under an advisory lock, and answers their names.
 * Several processes may start at once: one applies, the others wait and find nothing to do. `onMissing` is called with their number before
 * the first one, if there is one. Throws MigrationError when an applied file was edited or is gone.
 */
export async function migrate(database: Database, onMissing?: (count: number) => void): Promise<string[]> {
  const applied: string[] = [];
  const limits = { maxWaitMs: 120_000, timeoutMs: 600_000 };
  await database.transaction(async ({ query }) => {
    await query(`SELECT pg_advisory_xact_lock(hashtext('quittance.migrate'))`);
    await query(historyTable);
  }, limits);
  const waiting = await database.transaction(({ query }) => missing(query), limits);
  if (waiting.length > 0) onMissing?.(waiting.length);
  for (const migration of waiting) {
    await database.transaction(async ({ query }) => {
      await query(`SELECT pg_advisory_xact_lock(hashtext('quittance.migrate'))`);
      if (await isApplied(query, migration)) return;
      await apply(query, migration);
      await query(
        `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, applied_steps_count) VALUES (gen_random_uuid()::text, $1, now(), $2, 1)`,
        [migration.checksum, migration.name],
      );
      applied.push(migration.name);
    }, limits);
  }
  return applied;
}
