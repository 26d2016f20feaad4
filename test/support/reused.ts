import { tablesInOrder } from '../../src/platform/db/placement.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { forgetChanges, isWatched, watchTrigger } from './changes.ts';
import { collectingDatabase } from './distributable.ts';
import { freshDatabase } from './template.ts';

// Databases that the files of a worker use one after the other. A database that was used has its statements parsed and its pages in memory,
// so emptying it costs a hundredth of making another.

type Fresh = Awaited<ReturnType<typeof freshDatabase>>;

/** A migrated, empty database for one user at a time. */
export type Lease = {
  /** Closing it does nothing: it stays open for the next user. */
  readonly database: Database;
  /** On a server, where other processes may open it too. */
  readonly url: string | undefined;
  /** Hands the database to the next user. Nothing may use it any more. */
  readonly release: () => Promise<void>;
};

/** What stays when a database is emptied. */
const migrations = '_prisma_migrations';

/** Above this size a table is also vacuumed, since every scan of it would pass what is dead. */
const largeBytes = 65_536;

/** Of everything a test could have defined and not taken back, how many there are and a sum that tells them apart. */
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

/** What a database says when two transactions wait for each other. */
const deadlockDetected = '40P01';

/** Runs the deletions in one transaction; again after a deadlock with the worker of the process, which goes on meanwhile. */
async function deleteAll({ script }: Pick<Database, 'script'>, deletions: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await script(`BEGIN; SET LOCAL session_replication_role = replica; ${deletions} COMMIT`);
    } catch (error) {
      if (attempt === 5 || (error as { readonly code?: string }).code !== deadlockDetected) throw error;
    }
}

/** Copies on every node, to which rows of the coordinator refer: Citus cannot look at those while it deletes these, which nothing but tests would. */
const copied = ['Organization', 'Environment', 'AiModel'];

/** Deletes all rows of a distributed database but those named: those that refer to others first, since every node looks at what they refer to. */
async function emptyDistributed({ query, script }: Database, kept: readonly string[]): Promise<void> {
  const tables = (await tablesInOrder(query)).filter(
    (table) => ![migrations, ...copied, ...kept].includes(table),
  );
  for (const table of tables.toReversed()) await script(`DELETE FROM "${table}"`);
  if (await isWatched(query)) await forgetChanges(query);
}

/** Deletes all rows but those named, without looking at what they refer to. */
export async function emptyDatabase(database: Database, kept: readonly string[] = []): Promise<void> {
  const { kind, query, script } = database;
  if (await database.isDistributed()) return emptyDistributed(database, kept);
  const tables = await query<{ name: string; isLarge: boolean }>(
    `SELECT format('%I', relname) AS name, pg_relation_size(oid) > ${largeBytes} AS "isLarge" FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0 AND NOT relname = ANY($1)`,
    [[migrations, ...kept]],
  );
  const deletions = tables.map(({ name }) => `DELETE FROM ${name};`).join('\n');
  await deleteAll({ script }, deletions);
  if (await isWatched(query)) await forgetChanges(query);
  for (const { name } of tables.filter(({ isLarge }) => isLarge)) await script(`VACUUM ${name}`);
  // The log of an embedded database lies in memory, and nothing else cuts it.
  if (kind === 'pglite') await script('CHECKPOINT');
}

type Idle = { readonly fresh: Fresh; readonly definitions: string };

const idle: Idle[] = [];

async function openIdle(): Promise<Idle> {
  const fresh = await freshDatabase();
  return { fresh, definitions: await definitionsOf(fresh.database) };
}

/** A migrated, empty database, which another file of the worker may have used before. */
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
      // A test broke it.
    }
    await database.close();
    await drop();
  };
  return { database: collectingDatabase({ ...database, close: async () => undefined }), url, release };
}
