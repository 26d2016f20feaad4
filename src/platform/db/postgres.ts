import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { type DatabaseTimeouts, sessionOptions } from '../database-timeouts.ts';
import { distributionOf } from './distribution.ts';
import { openChannel } from './listen.ts';
import { mostProbes, Outages, type Probe } from './outages.ts';
import { AnsweringClient } from './patches/answering-client.ts';
import { gatheringSocket } from './patches/gathering-socket.ts';
import { NotingPool } from './patches/noting-pool.ts';
import type { Statement } from './patches/prepared-query.ts';
import {
  assertOutsideTransaction,
  type DriverClient,
  joining,
  type Scope,
  scopes,
  watched,
} from './patches/prisma-scope.ts';
import { renewPlans } from './patches/query-plans.ts';
import { groupingClient } from './patches/statement-group.ts';
import { openPlaces } from './places.ts';
import { type Database, DatabaseBusyError, type Query, type Replica, type RowOf } from './pool.ts';
import { openReplica, type ReplicaBounds } from './replica.ts';
import { openShare } from './share.ts';
import { readTimestamp } from './timestamps.ts';
import { type Attempt, defaultTransactionMs, transactionRunner } from './transaction-runner.ts';

// Database on a PostgreSQL server with a connection pool.

const int8 = 20;

const begin: Statement = { name: 'begin', text: 'BEGIN' };
const commit: Statement = { name: 'commit', text: 'COMMIT' };

/**
 * Ignores the error event of a connection in use, because the running statement reports the loss too. Without a listener, the process would
 * end.
 */
const isLost = (): undefined => undefined;

/**
 * Runs a transaction on a pool connection, which Prisma joins on first use. A transaction that takes too long is rolled back, and its next statement
 * fails.
 */
const openedByDriver =
  (pool: pg.Pool, prisma: PrismaClient, { silenceMs }: DatabaseTimeouts, nameOf: NameOf): Attempt =>
  async (work, { timeoutMs }) => {
    const client = await pool.connect();
    const isLong = timeoutMs > defaultTransactionMs;
    client.on('error', isLost);
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      client.query('ROLLBACK').catch(isLost);
    }, timeoutMs);
    let isOver = false;
    const inTime = () => {
      if (isOver) throw new Error('The transaction is over.');
      if (isLate) throw new DatabaseBusyError('The transaction took too long and was rolled back.');
    };
    const ask = groupingClient(client);
    const end = (statement: Statement): Promise<pg.QueryResult> => {
      isOver = true;
      return ask(statement);
    };
    const timely: DriverClient = {
      query: async (...provided) => {
        inTime();
        return ask(...(provided as unknown as [Statement]));
      },
    };
    const query = postgresQuery(timely as pg.PoolClient, nameOf);
    const scope: Scope = { client: timely };
    const joined = joining(prisma, scope);
    let broken: Error | undefined;
    let committed = null as Promise<pg.QueryResult> | null;
    const last: Query = (...provided) => {
      const answered = query(...(provided as Parameters<Query>));
      if (joined.isOpen()) return answered as never;
      committed = end(commit);
      committed.catch(isLost);
      return answered as never;
    };
    // Subsequent statements are sent without waiting for `BEGIN`. They fail if `BEGIN` fails.
    const begun = ask(begin);
    begun.catch(isLost);
    if (isLong) {
      // Each SQL statement may take as long as the whole transaction.
      limitSilence(client, timeoutMs + silenceMs);
      ask({ text: `SET LOCAL statement_timeout = ${timeoutMs}` }).catch(isLost);
    }
    try {
      const result = await scopes.run(scope, () => work({ prisma: joined.prisma, query, last }));
      await joined.end();
      if (committed === null) inTime();
      const { command } = await (committed ?? end(commit));
      // Even if `work` caught the error of a failed statement, the server has rolled the transaction back.
      if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back: a statement in it had failed.');
      return result;
    } catch (error) {
      await joined.end().catch(isLost);
      // If the statement before the commit failed, the server skipped the commit.
      const isCommitted = committed !== null && (await committed.then(Boolean, () => false));
      if (!isCommitted) {
        // Waits for pending statements, so that no statement runs in the next transaction on the connection.
        await end({ text: 'ROLLBACK' }).catch((failure: Error) => {
          broken = failure;
        });
      }
      throw error;
    } finally {
      clearTimeout(late);
      client.off('error', isLost);
      if (isLong) limitSilence(client, silenceMs);
      client.release(broken);
    }
  };

type NameOf = (text: string) => string | undefined;

/**
 * Returns a function that assigns names to SQL statements. Statements with the same text get the same name. After the
 * first `most` distinct statements, further statements get no name.
 */
export function statementNames(most: number): NameOf {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= most) return known;
    const name = createHash('sha1').update(text).digest('hex');
    names.set(text, name);
    return name;
  };
}

/**
 * Maximum number of named statements per pool. The server keeps a plan for each name and connection. The limit is needed because clients determine
 * the columns to read. Statements with inlined values must not be named.
 */
const mostNamed = 1_000;

const postgresTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return BigInt;
    return oid === pg.types.builtins.TIMESTAMPTZ ? readTimestamp : pg.types.getTypeParser(oid, format);
  },
};

/** Maximum delay that a Node timer supports, in milliseconds. This is about 24 days. */
const unlimitedMs = 2_147_483_647;

/** The cast is needed because the pool's types don't contain the connection class. */
const limitSilence = (client: pg.PoolClient, milliseconds: number): void =>
  (client as unknown as AnsweringClient).limitSilence(milliseconds);

function postgresQuery(client: pg.Pool | pg.PoolClient, nameOf: NameOf): Query {
  return async <Row>(text: string, params: readonly unknown[] = [], rowOf?: RowOf) => {
    const name = nameOf(text);
    const statement = {
      ...(name === undefined ? {} : { name }),
      text,
      values: [...params],
      types: postgresTypes,
    };
    if (rowOf === undefined) return (await client.query(statement)).rows as Row[];
    const { rows } = await client.query<unknown[]>({ ...statement, rowMode: 'array' });
    return rows.map(rowOf) as Row[];
  };
}

/** Returns a function that executes another library's SQL. */
const plainQuery =
  (pool: pg.Pool): Database['plain'] =>
  async (text, params) => {
    assertOutsideTransaction();
    const client = await pool.connect();
    client.on('error', isLost);
    try {
      const result: pg.QueryResult | pg.QueryResult[] = await client.query(
        text,
        params === undefined ? undefined : [...params],
      );
      client.release();
      return [result].flat().flatMap(({ rows }) => rows);
    } catch (error) {
      // Closes the connection, because the script may have left a transaction open.
      client.release(true);
      throw error;
    } finally {
      client.off('error', isLost);
    }
  };

/** Returns a function that executes scripts of several SQL statements. */
const scriptRunner =
  (pool: pg.Pool, timeouts: DatabaseTimeouts): Database['script'] =>
  async (sql) => {
    // The script has no time limit. If it fails, closing the connection also ends an open transaction.
    const client = await pool.connect();
    client.on('error', isLost);
    let isDone = false;
    try {
      limitSilence(client, unlimitedMs);
      await client.query('SET statement_timeout = 0');
      await client.query(sql);
      await client.query('RESET statement_timeout');
      limitSilence(client, timeouts.silenceMs);
      isDone = true;
    } finally {
      client.off('error', isLost);
      client.release(!isDone);
    }
  };

/** Returns the probe of the circuit breaker, which uses a separate pool. Closes the connection of a probe that takes too long. */
const probeOf =
  (pool: pg.Pool): Probe =>
  async (environmentId, signal) => {
    const client = await pool.connect();
    client.on('error', isLost);
    const stop = (): void =>
      (client as unknown as AnsweringClient).cut(new DatabaseBusyError('The probe took too long.'));
    signal.addEventListener('abort', stop);
    let isLate = true;
    try {
      signal.throwIfAborted();
      await client.query('SELECT 1 FROM "EnvironmentCounter" WHERE "environmentId" = $1', [environmentId]);
      isLate = false;
    } finally {
      signal.removeEventListener('abort', stop);
      client.off('error', isLost);
      client.release(isLate);
    }
  };

/**
 * Addresses of a PostgreSQL server. `direct` is set if `url` is the address of a pooler in transaction mode. Notifications and scripts then
 * use `direct`, because they need a connection for themselves.
 */
export type ServerUrls = { readonly url: string; readonly direct: string | null };

/** Address of a read replica, and the bounds of its use. */
export type ReplicaTarget = ReplicaBounds & { readonly url: string };

/** Opens a pool for the statements of environments. */
function openPool(settings: pg.PoolConfig, silenceMs: number): pg.Pool {
  const pool: pg.Pool = new NotingPool(settings);
  pool.on('connect', (client) => limitSilence(client, silenceMs));
  renewPlans(pool);
  return pool;
}

/** Ignores errors of idle connections, which a pool replaces. Without a listener, the process would end. */
const ignoreLosses = (pool: pg.Pool): unknown => pool.on('error', () => undefined);

/** Opens the pool of a read replica. `primary` executes statements on the primary server. */
function openReplicaPool(
  { url, ...bounds }: ReplicaTarget,
  settings: pg.PoolConfig,
  silenceMs: number,
  { primary, nameOf }: { readonly primary: Query; readonly nameOf: NameOf },
): Replica {
  const pool = openPool({ ...settings, connectionString: url }, silenceMs);
  ignoreLosses(pool);
  return openReplica(primary, postgresQuery(pool, nameOf), bounds, () => pool.end());
}

/** Settings of all pools. */
const poolSettings = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  Client: AnsweringClient,
  // Sends independent statements of a transaction without waiting for results.
  pipeline: true,
  // Sends all messages of an event loop turn together.
  stream: gatheringSocket,
} as pg.PoolConfig;

/** Opens a connection pool to a PostgreSQL server, and another to its read replica. */
export function openPostgres(
  { url, direct }: ServerUrls,
  poolSize: number,
  timeouts: DatabaseTimeouts,
  target: ReplicaTarget | null,
): Database {
  const options = sessionOptions(timeouts);
  const own = { ...poolSettings, options };
  const settings = { ...(direct === null ? own : poolSettings), connectionString: url };
  const pool = openPool({ ...settings, max: poolSize }, timeouts.silenceMs);
  const probes = new pg.Pool({ ...settings, max: mostProbes });
  const scripts = direct === null ? pool : new pg.Pool({ ...own, connectionString: direct, max: 1 });
  const pools = [...new Set([pool, probes, scripts])];
  for (const each of pools) ignoreLosses(each);
  const prisma = new PrismaClient({ adapter: watched(new PrismaPg(pool)) });
  const nameOf = statementNames(mostNamed);
  const query = postgresQuery(pool, nameOf);
  const isDistributed = distributionOf(query);
  const outages = new Outages(probeOf(probes));
  const of = { primary: query, nameOf };
  const replica =
    target === null ? null : openReplicaPool(target, { ...own, max: poolSize }, timeouts.silenceMs, of);
  return {
    kind: 'postgres',
    share: openShare(poolSize, { placeOf: openPlaces({ query, isDistributed }), outages }),
    prisma,
    isDistributed,
    query: (text, params, rowOf) => {
      assertOutsideTransaction();
      return query(text, params, rowOf);
    },
    replica,
    transaction: transactionRunner(openedByDriver(pool, prisma, timeouts, nameOf)),
    plain: plainQuery(pool),
    script: scriptRunner(scripts, timeouts),
    listen: (channel, listener) =>
      openChannel(
        { connectionString: direct ?? url, keepAlive: true, connectionTimeoutMillis: 5_000 },
        channel,
        listener,
      ),
    close: async () => {
      outages.close();
      await replica?.close();
      await prisma.$disconnect();
      await Promise.all(pools.map((each) => each.end()));
    },
  };
}
