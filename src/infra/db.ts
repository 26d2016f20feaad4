import { createHash } from 'node:crypto';
import { PGlite, types as pgliteTypes } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { AnsweringClient } from './answering-client.ts';
import { lockDataDirectory } from './data-directory.ts';
import { gatheringSocket } from './gathering-socket.ts';
import { listenOn } from './listen.ts';
import { prepareStatements } from './pglite-statements.ts';
import { assertOutsideTransaction, type DriverClient, joining, type Scope, scopes, watched } from './prisma-scope.ts';
import { renewPlans } from './query-plans.ts';
import { groupingClient, type Statement } from './statement-group.ts';
import { readTimestamp } from './timestamps.ts';

/** Makes a row of the values of its columns, in the order of the statement. */
export type RowOf = (values: readonly unknown[]) => object;

/**
 * Runs one statement on the driver and answers its rows as objects: bigint columns as bigint, timestamps as Date, JSON parsed.
 * Parameters are $1, $2, …; JSON parameters are passed as text. `rowOf` makes the rows, which is faster where there are many.
 */
export type Query = <Row = Record<string, unknown>>(text: string, params?: readonly unknown[], rowOf?: RowOf) => Promise<Row[]>;

/** What exists inside a transaction: Prisma and the driver, on the same connection (protocols A12). */
export type Transaction = {
  readonly prisma: Prisma.TransactionClient;
  readonly query: Query;
  /** Runs the statement after which nothing else is asked: where possible the commit goes out behind it, before its answer. Where it fails, nothing is committed. */
  readonly last: Query;
};

/** Limits of a transaction in milliseconds: how long to wait for a connection, how long it may take. */
export type TransactionLimits = { readonly maxWaitMs?: number; readonly timeoutMs?: number };

/** The database of a process: embedded PostgreSQL (PGlite) or a server. One SQL dialect, one set of migrations. */
export type Database = {
  readonly kind: 'pglite' | 'postgres';
  readonly prisma: PrismaClient;
  /** Outside any transaction; throws inside one, because on PGlite the call would wait for itself (protocols A1). */
  readonly query: Query;
  /** Runs `work` in one transaction, again when the database reports a deadlock or a serialization failure. Throws DatabaseBusyError when no connection came in time. */
  readonly transaction: <T>(work: (transaction: Transaction) => Promise<T>, limits?: TransactionLimits) => Promise<T>;
  /** Runs what another library wrote, a statement or a script without parameters, and answers all rows, read as the driver reads them by itself. */
  readonly plain: (text: string, params?: readonly unknown[]) => Promise<unknown[]>;
  /** Runs a script of several statements outside a transaction of its own. */
  readonly script: (sql: string) => Promise<void>;
  /** Calls back with the payload of each notification on the channel; answers a function that stops listening. */
  readonly listen: (channel: string, heard: (payload: string) => void) => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
};

/** No connection came in time: the same request may succeed a moment later. Answered as 503 with Retry-After. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError';
}

const maxAttempts = 5;
const int8 = 20;

/** Sends one statement after another: a connection works on one at a time, and resolvers of one operation ask side by side. */
function inTurn(query: Query): Query {
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;
  return <Row>(text: string, params?: readonly unknown[], rowOf?: RowOf) => {
    const send = () => query<Row>(text, params, rowOf);
    const sent = open === 0 ? send() : last.then(send, send);
    open++;
    const done = () => void open--;
    last = sent.then(done, done);
    return sent;
  };
}

const isRetryable = (error: unknown): boolean => {
  const codes = new Set(['P2034', '40P01', '40001']);
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    if ('code' in cause && codes.has(String(cause.code))) return true;
    if (/\b(40P01|40001)\b|TransactionWriteConflict|deadlock detected/.test(cause.message)) return true;
  }
  return false;
};

/** No connection in time, as Prisma and the pool tell it, and a transaction of Prisma that took too long. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'P2028' && /Unable to start|expired/.test(error.message)) ||
    error.message === 'timeout exceeded when trying to connect');

type Attempt = <T>(work: (transaction: Transaction) => Promise<T>, limits: Required<TransactionLimits>) => Promise<T>;

/** Runs transactions, each again when the database reports a deadlock or a serialization failure. */
const transactionRunner =
  (attempt: Attempt): Database['transaction'] =>
  async (work, { maxWaitMs = 5_000, timeoutMs = 30_000 } = {}) => {
    assertOutsideTransaction();
    for (let count = 1; ; count++) {
      try {
        return await attempt(work, { maxWaitMs, timeoutMs });
      } catch (error) {
        if (isBusy(error)) throw new DatabaseBusyError('No database connection became free in time.', { cause: error });
        if (count >= maxAttempts || !isRetryable(error)) throw error;
      }
    }
  };

/** A transaction that Prisma opens. */
const openedByPrisma =
  (prisma: PrismaClient, bind: (client: DriverClient) => Query): Attempt =>
  (work, { maxWaitMs, timeoutMs }) => {
    const scope: Scope = {};
    return scopes.run(scope, () =>
      prisma.$transaction(
        (transaction) => {
          if (scope.client === undefined) throw new Error('The transaction has no driver client.');
          const query = inTurn(bind(scope.client));
          return work({ prisma: transaction, query, last: query });
        },
        { maxWait: maxWaitMs, timeout: timeoutMs },
      ),
    );
  };

const begin: Statement = { name: 'begin', text: 'BEGIN' };
const commit: Statement = { name: 'commit', text: 'COMMIT' };

/** A transaction on a connection of the pool, which Prisma joins when it is asked for. One that takes too long is rolled back, and finds it out with its next statement. */
const openedByDriver =
  (pool: pg.Pool, prisma: PrismaClient): Attempt =>
  async (work, { timeoutMs }) => {
    const client = await pool.connect();
    const isLost = () => undefined;
    client.on('error', isLost);
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      client.query('ROLLBACK').catch(isLost);
    }, timeoutMs);
    const inTime = () => {
      if (isLate) throw new DatabaseBusyError('The transaction took too long and was rolled back.');
    };
    const ask = groupingClient(client);
    const timely: DriverClient = {
      query: async (...given) => {
        inTime();
        return ask(...(given as unknown as [Statement]));
      },
    };
    const query = postgresQuery(timely as pg.PoolClient);
    const scope: Scope = { client: timely };
    const joined = joining(prisma, scope);
    let broken: Error | undefined;
    let committed = null as Promise<pg.QueryResult> | null;
    const last: Query = (...given) => {
      const answered = query(...(given as Parameters<Query>));
      if (joined.isOpen()) return answered as never;
      committed = ask(commit);
      committed.catch(isLost);
      return answered as never;
    };
    // The statements that follow do not wait for its answer; where it fails, so do they.
    const begun = ask(begin);
    begun.catch(isLost);
    try {
      const result = await scopes.run(scope, () => work({ prisma: joined.prisma, query, last }));
      await joined.end();
      if (committed === null) inTime();
      const { command } = await (committed ?? ask(commit));
      // A failed statement whose error nobody let through has undone everything.
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed.');
      return result;
    } catch (error) {
      await joined.end().catch(isLost);
      // Where the statement before the commit failed, the commit was left out.
      const isOver = committed !== null && (await committed.then(Boolean, () => false));
      if (!isOver) {
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken = failure;
        });
      }
      throw error;
    } finally {
      clearTimeout(late);
      client.off('error', isLost);
      client.release(broken);
    }
  };

/** Answers a function that names statement texts, each always the same; none beyond the first `most`. */
export function statementNames(most: number): (text: string) => string | undefined {
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
 * A statement with a name is planned once per connection, and the server keeps it: callers choose which columns are read, so that there must be
 * a bound. Statements with inlined values must not come here.
 */
const statementName = statementNames(1_000);

const postgresTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return BigInt;
    return oid === pg.types.builtins.TIMESTAMPTZ ? readTimestamp : pg.types.getTypeParser(oid, format);
  },
};

function postgresQuery(client: pg.Pool | pg.PoolClient): Query {
  return async <Row>(text: string, params: readonly unknown[] = [], rowOf?: RowOf) => {
    const name = statementName(text);
    const statement = { ...(name === undefined ? {} : { name }), text, values: [...params], types: postgresTypes };
    if (rowOf === undefined) return (await client.query(statement)).rows as Row[];
    const { rows } = await client.query<unknown[]>({ ...statement, rowMode: 'array' });
    return rows.map(rowOf) as Row[];
  };
}

function openPostgres(url: string, poolSize: number): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    // Statements are short: compiling one costs more than running it.
    options: '-c timezone=UTC -c jit=off',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    Client: AnsweringClient,
    // Statements of a transaction that do not need each other's answers go out side by side.
    pipeline: true,
    stream: gatheringSocket,
  } as pg.PoolConfig);
  // An idle connection the server closed is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  renewPlans(pool);
  const prisma = new PrismaClient({ adapter: watched(new PrismaPg(pool)) });
  const query = postgresQuery(pool);
  return {
    kind: 'postgres',
    prisma,
    query: (text, params, rowOf) => {
      assertOutsideTransaction();
      return query(text, params, rowOf);
    },
    transaction: transactionRunner(openedByDriver(pool, prisma)),
    plain: async (text, params) => {
      assertOutsideTransaction();
      const client = await pool.connect();
      // Its query is told of a connection that breaks; without a listener it would end the process as well.
      const isLost = () => undefined;
      client.on('error', isLost);
      try {
        const result: pg.QueryResult | pg.QueryResult[] = await client.query(text, params === undefined ? undefined : [...params]);
        client.release();
        return [result].flat().flatMap(({ rows }) => rows);
      } catch (error) {
        // A script may have failed inside a transaction it began; its connection goes.
        client.release(true);
        throw error;
      } finally {
        client.off('error', isLost);
      }
    },
    script: async (sql) => {
      await pool.query(sql);
    },
    listen: (channel, heard) => listenOn(pool, channel, heard),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/**
 * PGlite copies its readers of types for every statement, and has one for the array type of every table: hundreds, which cost more than a
 * short statement itself. Those of these arrays are kept; types without one are read as they are by default.
 */
const keptArrays = { bool: 1000, int4: 1007, text: 1009, varchar: 1015, int8: 1016, timestamptz: 1185, jsonb: 3807 };

function keepFewParsers(client: PGlite): void {
  const kept = Object.values(keptArrays).flatMap((oid) => (client.parsers[oid] === undefined ? [] : [[oid, client.parsers[oid]]]));
  client.parsers = Object.fromEntries(kept);
}

const pgliteParsers = { [int8]: (value: string) => BigInt(value), [pgliteTypes.TIMESTAMPTZ]: readTimestamp };

function pgliteQuery(client: Pick<PGlite, 'query'>): Query {
  return async <Row>(text: string, params: readonly unknown[] = [], rowOf?: RowOf) => {
    if (rowOf === undefined) return (await client.query<Row>(text, [...params], { parsers: pgliteParsers })).rows;
    const { rows } = await client.query<unknown[]>(text, [...params], { parsers: pgliteParsers, rowMode: 'array' });
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
    query: (text, params, rowOf) => {
      assertOutsideTransaction();
      return query(text, params, rowOf);
    },
    transaction: transactionRunner(openedByPrisma(prisma, (transaction) => pgliteQuery(transaction as unknown as PGlite))),
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
    listen: (channel, heard) => client.listen(channel, heard),
    close: async () => {
      await prisma.$disconnect();
      await client.close();
      await release();
    },
  };
}

/** Opens embedded PostgreSQL in a directory, or in memory for `memory:`. Throws DataDirectoryInUseError when another process has it. */
async function openPglite(dataDir: string): Promise<Database> {
  if (dataDir === 'memory:') return wrapPglite(await PGlite.create({ dataDir: 'memory://' }));
  const release = await lockDataDirectory(dataDir);
  try {
    return wrapPglite(await PGlite.create({ dataDir: `${dataDir}/postgres` }), release);
  } catch (error) {
    await release();
    throw error;
  }
}

/** Opens the database the settings name: a server when there is a URL, else embedded in the data directory. */
export async function openDatabase(settings: {
  databaseUrl?: string | undefined;
  databasePoolSize: number;
  dataDir: string;
}): Promise<Database> {
  return settings.databaseUrl === undefined ? openPglite(settings.dataDir) : openPostgres(settings.databaseUrl, settings.databasePoolSize);
}
