import { type Migration, readMigrations } from './migrations.ts';
import { distributedTable, placingStatement } from './placement.ts';
import type { Database, Query } from './pool.ts';

/** Error thrown if the migration history in the database doesn't match the migration files. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

// Prisma uses the same table, so `prisma migrate deploy` works on the same database.
const historyTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

/**
 * Returns the statements of a migration file without comments. Each SQL statement must end with a semicolon at the end
 * of a line.
 */
export const statementsOf = (sql: string): string[] =>
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
  if (row !== undefined && ![migration.checksum, ...migration.replaced].includes(row.checksum)) {
    throw new MigrationError(
      `Migration ${migration.name} was changed after it had been applied to this database.`,
    );
  }
  return row !== undefined;
}

const tooOld =
  'This database was made before the first release, by a version whose migrations no longer exist. Start over with `npm run db:reset`, which deletes all its data.';

/** Returns the pending migrations. Throws MigrationError if an applied file was changed or deleted. */
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

/** Applies a migration. In a distributed database, new tables are distributed before foreign keys can reference them. */
async function apply(query: Query, { sql }: Migration): Promise<void> {
  const beside = await distributedTable(query);
  if (beside !== null) await query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
  for (const statement of statementsOf(sql)) {
    await query(statement);
    const [, table] = /^CREATE TABLE "(\w+)"/.exec(statement) ?? [];
    if (beside === null || table === undefined) continue;
    const placing = placingStatement(table, beside);
    if (placing !== null) await query(placing);
  }
}

/**
 * Applies all pending migrations and returns their names. Each migration runs in its own transaction under an advisory lock, so several
 * processes can start at the same time. `onMissing` is called with the number of pending migrations before the first migration is applied.
 * Throws MigrationError if an applied file was changed or deleted.
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
