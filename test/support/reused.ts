import { tablesInOrder } from '../../src/platform/db/placement.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { forgetChanges, isWatched, unwatch, watchTrigger } from './changes.ts';
import { collectingDatabase } from './distributable.ts';
import { freshDatabase } from './template.ts';

// Lets a worker's test files reuse databases. Emptying a used database is a hundred times faster than creating a new one, because its
// statements and pages are cached.

type Fresh = Awaited<ReturnType<typeof freshDatabase>>;

/** Migrated, empty database that is used by one test file at a time. */
export type Lease = {
  /** `close` has no effect: the database remains open for the next test file. */
  readonly database: Database;
  /** URL of the database on a server. `undefined` for the embedded database. */
  readonly url: string | undefined;
  /** Returns the database so that the next test file can use it. The caller must not use the database after this call. */
  readonly release: () => Promise<void>;
};

/** Table whose rows are kept when a database is emptied. */
const migrations = '_prisma_migrations';

/** Tables above this size in bytes are also vacuumed, because scans would read their dead rows. */
const largeBytes = 65_536;

/** Queries for counts and checksums of all definitions that a test could have created or changed. */
const definitions = [
  `SELECT count(*) || ' ' || sum(oid::bigint) FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
  `SELECT count(*) || ' ' || sum(a.attnum * a.atttypid::bigint) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   WHERE c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped`,
  `SELECT count(*) || ' ' || sum(oid::bigint) FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
  `SELECT count(*) || ' ' || coalesce(sum(oid::bigint), 0) FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  `SELECT count(*) || ' ' || coalesce(sum(oid::bigint), 0) FROM pg_trigger WHERE tgname <> '${watchTrigger}'`,
];

async function definitionsOf({ query }: Database): Promise<string> {
  const parts = definitions.map((part) => `(${part})`).join(', ');
  const [row] = await query<{ all: string }>(`SELECT concat_ws(', ', ${parts}) AS "all"`);
  return row?.all ?? '';
}

const deadlockDetected = '40P01';

/** Runs deletions in one transaction. Retries after a deadlock with the process's worker, which is still running. */
async function deleteAll({ script }: Pick<Database, 'script'>, deletions: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await script(`BEGIN; SET LOCAL session_replication_role = replica; ${deletions} COMMIT`);
    } catch (error) {
      if (attempt === 5 || (error as { readonly code?: string }).code !== deadlockDetected) throw error;
    }
}

/** Reference tables to which tables on the coordinator refer. Citus can't check these references during deletions. */
const copied = ['Organization', 'Environment', 'AiModel'];

/**
 * Deletes all rows in a distributed database, except in the kept tables. Referencing rows are deleted first, because every node checks
 * references.
 */
async function emptyDistributed({ query, script }: Database, kept: readonly string[]): Promise<void> {
  const tables = (await tablesInOrder(query)).filter(
    (table) => ![migrations, ...copied, ...kept].includes(table),
  );
  for (const table of tables.toReversed()) await script(`DELETE FROM "${table}"`);
  if (await isWatched(query)) await forgetChanges(query);
}

/** Deletes all rows without checking references, except in the kept tables. */
export async function emptyDatabase(database: Database, kept: readonly string[] = []): Promise<void> {
  const { kind, query, script } = database;
  if (await database.isDistributed()) return emptyDistributed(database, kept);
  const tables = await query<{ name: string; isLarge: boolean }>(
    `SELECT format('%I', relname) AS name, pg_relation_size(oid) > ${largeBytes} AS "isLarge" FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0 AND NOT relname = ANY($1)`,
    [[migrations, ...kept]],
  );
  const deletions = tables.map(({ name }) => `DELETE FROM ${name};`);
  // Writes with recorded changes take a quarter longer, also for the test files that don't read the changes.
  if (await isWatched(query)) deletions.unshift(unwatch);
  await deleteAll({ script }, deletions.join('\n'));
  for (const { name } of tables.filter(({ isLarge }) => isLarge)) await script(`VACUUM ${name}`);
  // The embedded database keeps its log in memory, and only a checkpoint truncates it.
  if (kind === 'pglite') await script('CHECKPOINT');
}

type Idle = { readonly fresh: Fresh; readonly definitions: string };

const idle: Idle[] = [];

async function openIdle(): Promise<Idle> {
  const fresh = await freshDatabase();
  return { fresh, definitions: await definitionsOf(fresh.database) };
}

/** Leases a migrated, empty database that an earlier test file of the worker may have used. */
export async function leaseDatabase(): Promise<Lease> {
  const leased = idle.pop() ?? (await openIdle());
  const { database, url, drop } = leased.fresh;
  const release = async (): Promise<void> => {
    try {
      if ((await definitionsOf(database)) === leased.definitions) {
        await emptyDatabase(database);
        idle.push(leased);
        return;
      }
    } catch {
      // Doesn't reuse the database, because a test has closed or broken it.
    }
    await database.close();
    await drop();
  };
  return { database: collectingDatabase({ ...database, close: async () => undefined }), url, release };
}
