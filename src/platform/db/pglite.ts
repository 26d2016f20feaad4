import { PGlite, type PGliteOptions, types } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { lockDataDirectory } from './data-directory.ts';
import { notifyText, Outgoing } from './listen.ts';
import { prepareStatements } from './patches/pglite-statements.ts';
import { assertOutsideTransaction, watched } from './patches/prisma-scope.ts';
import type { Database, Query, RowOf } from './pool.ts';
import { cacheFolder, makeDatabaseFolder, readPrepared } from './prepared.ts';
import { openShare } from './share.ts';
import { readTimestamp } from './timestamps.ts';
import { openedByPrisma, transactionRunner } from './transaction-runner.ts';

// Database embedded in the process (PGlite).

/**
 * Array types whose parsers are kept. PGlite has a parser for the array type of each table and copies all parsers for
 * each SQL statement, which takes longer than a short statement.
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

const pgliteParsers = { [types.INT8]: BigInt, [types.TIMESTAMPTZ]: readTimestamp };

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

/** Wraps an open PGlite instance. `release` is called after the instance is closed. */
export function wrapPglite(client: PGlite, release: () => Promise<void> = async () => undefined): Database {
  keepFewParsers(client);
  prepareStatements(client);
  const prisma = new PrismaClient({ adapter: watched(new PrismaPGlite(client)) });
  const query = pgliteQuery(client);
  return {
    kind: 'pglite',
    // PGlite has one connection, which environments share.
    share: openShare(1, null),
    replica: null,
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
        // Ends a transaction that the script may have left open on the only connection.
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

/** Small buffer cache, because each start initializes the whole cache. Other database pages come from the operating system's cache. */
const buffers = ['-c', 'shared_buffers=32MB'];

/** Opens PGlite with the extensions that migrations install. Indexes need the extensions for each write. */
export const createPglite = (options: PGliteOptions): Promise<PGlite> =>
  PGlite.create({
    ...options,
    startParams: [...PGlite.defaultStartParams, ...buffers],
    extensions: { btree_gin },
  });

async function openInMemory(prepared: string): Promise<Database> {
  const loadDataDir = await readPrepared(prepared);
  return wrapPglite(
    await createPglite({ dataDir: 'memory://', ...(loadDataDir === null ? {} : { loadDataDir }) }),
  );
}

/**
 * Opens an embedded database in a directory, or in memory for `memory:`. A new database is unpacked from the prepared archive if this version has an
 * archive. Throws DataDirectoryInUseError if another process has opened the directory.
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
