import { PGlite, type PGliteOptions, types } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { lockDataDirectory } from './data-directory.ts';
import { notifyText, Outgoing } from './listen.ts';
import { prepareStatements } from './patches/pglite-statements.ts';
import { assertOutsideTransaction, watched } from './patches/prisma-scope.ts';
import type { Database, Query, RowOf } from './pool.ts';
import { cacheFolder, makeDatabaseFolder, readPrepared } from './prepared.ts';
import { readTimestamp } from './timestamps.ts';
import { openedByPrisma, transactionRunner } from './transaction-runner.ts';

// The database embedded in the process.

/**
 * PGlite copies its readers of types for every statement, and has one for the array type of every table: hundreds, which cost more than a
 * short statement itself. Those of these arrays are kept; types without one are read as they are by default.
 */
const keptArrays = {
  bool: 1000,
  int4: 1007,
  text: 1009,
  varchar: 1015,
  int8: 1016,
  timestamptz: 1185,
  jsonb: 3807,
};

function keepFewParsers(client: PGlite): void {
  const kept = Object.values(keptArrays).flatMap((oid) =>
    client.parsers[oid] === undefined ? [] : [[oid, client.parsers[oid]]],
  );
  client.parsers = Object.fromEntries(kept);
}

const pgliteParsers = { [types.INT8]: (value: string) => BigInt(value), [types.TIMESTAMPTZ]: readTimestamp };

function pgliteQuery(client: Pick<PGlite, 'query'>): Query {
  return async <Row>(text: string, params: readonly unknown[] = [], rowOf?: RowOf) => {
    if (rowOf === undefined)
      return (await client.query<Row>(text, [...params], { parsers: pgliteParsers })).rows;
    const { rows } = await client.query<unknown[]>(text, [...params], {
      parsers: pgliteParsers,
      rowMode: 'array',
    });
    return rows.map(rowOf) as Row[];
  };
}

/** Wraps an open PGlite instance; `release` is called after it is closed. */
export function wrapPglite(client: PGlite, release: () => Promise<void> = async () => undefined): Database {
  keepFewParsers(client);
  prepareStatements(client);
  const prisma = new PrismaClient({ adapter: watched(new PrismaPGlite(client)) });
  const query = pgliteQuery(client);
  return {
    kind: 'pglite',
    prisma,
    isDistributed: async () => false,
    query: (text, params, rowOf) => {
      assertOutsideTransaction();
      return query(text, params, rowOf);
    },
    transaction: transactionRunner(
      openedByPrisma(prisma, (transaction) => pgliteQuery(transaction as unknown as PGlite)),
    ),
    plain: async (text, params = []) => {
      assertOutsideTransaction();
      if (params.length > 0) return (await client.query(text, [...params])).rows;
      try {
        return (await client.exec(text)).flatMap(({ rows }) => rows);
      } catch (error) {
        // A script may have failed inside a transaction it began; there is one connection only.
        await client.exec('ROLLBACK');
        throw error;
      }
    },
    script: async (sql) => {
      await client.exec(sql);
    },
    listen: async (channel, { heard }) => {
      const stop = await client.listen(channel, heard);
      const outgoing = new Outgoing((payloads) => query(notifyText, [channel, payloads]));
      return { notify: (payload) => outgoing.add(payload), stop };
    },
    close: async () => {
      await prisma.$disconnect();
      await client.close();
      await release();
    },
  };
}

/**
 * How much of its memory the database keeps pages in: all of it is touched by every start. Pages beyond it are in the cache of the operating
 * system, from which they are read in microseconds.
 */
const buffers = ['-c', 'shared_buffers=32MB'];

/** Starts PGlite with the extensions that migrations create: an index may need them whenever its table is written. */
export const createPglite = (options: PGliteOptions): Promise<PGlite> =>
  PGlite.create({
    ...options,
    startParams: [...PGlite.defaultStartParams, ...buffers],
    extensions: { btree_gin, pg_trgm },
  });

async function openInMemory(prepared: string): Promise<Database> {
  const loadDataDir = await readPrepared(prepared);
  return wrapPglite(
    await createPglite({ dataDir: 'memory://', ...(loadDataDir === null ? {} : { loadDataDir }) }),
  );
}

/**
 * Opens embedded PostgreSQL in a directory, or in memory for `memory:`. A new database is taken from the archive in the folder `prepared` where
 * there is one of this version, else it is empty. Throws DataDirectoryInUseError when another process has it.
 */
export async function openPglite(dataDir: string, prepared: string = cacheFolder): Promise<Database> {
  if (dataDir === 'memory:') return openInMemory(prepared);
  const release = await lockDataDirectory(dataDir);
  try {
    const folder = `${dataDir}/postgres`;
    await makeDatabaseFolder(folder, prepared, async (target) =>
      (await createPglite({ dataDir: target })).close(),
    );
    return wrapPglite(await createPglite({ dataDir: folder }), release);
  } catch (error) {
    await release();
    throw error;
  }
}
