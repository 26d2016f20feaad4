import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { type DatabaseTimeouts, sessionOptions } from '../database-timeouts.ts';
import { distributionOf } from './distribution.ts';
import { openChannel } from './listen.ts';
import { AnsweringClient } from './patches/answering-client.ts';
import { gatheringSocket } from './patches/gathering-socket.ts';
import {
  assertOutsideTransaction,
  type DriverClient,
  joining,
  type Scope,
  scopes,
  watched,
} from './patches/prisma-scope.ts';
import { renewPlans } from './patches/query-plans.ts';
import { groupingClient, type Statement } from './patches/statement-group.ts';
import { type Database, DatabaseBusyError, type Query, type RowOf } from './pool.ts';
import { readTimestamp } from './timestamps.ts';
import { type Attempt, defaultTransactionMs, transactionRunner } from './transaction-runner.ts';

// The database on a PostgreSQL server, through a pool of connections.

const int8 = 20;

const begin: Statement = { name: 'begin', text: 'BEGIN' };
const commit: Statement = { name: 'commit', text: 'COMMIT' };

/** Hears of the loss of a connection in use, whose query fails; without a listener it would end the process as well. */
const isLost = (): undefined => undefined;

/** A transaction on a connection of the pool, which Prisma joins when it is asked for. One that takes too long is rolled back, and finds it out with its next statement. */
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
    // The statements that follow do not wait for its answer; where it fails, so do they.
    const begun = ask(begin);
    begun.catch(isLost);
    if (isLong) {
      // Its statements may take as long as all of it.
      limitSilence(client, timeoutMs + silenceMs);
      ask({ text: `SET LOCAL statement_timeout = ${timeoutMs}` }).catch(isLost);
    }
    try {
      const result = await scopes.run(scope, () => work({ prisma: joined.prisma, query, last }));
      await joined.end();
      if (committed === null) inTime();
      const { command } = await (committed ?? end(commit));
      // A failed statement whose error nobody let through has undone everything.
      if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back: a statement in it had failed.');
      return result;
    } catch (error) {
      await joined.end().catch(isLost);
      // Where the statement before the commit failed, the commit was left out.
      const isCommitted = committed !== null && (await committed.then(Boolean, () => false));
      if (!isCommitted) {
        // Behind all that was asked for and may wait yet to be sent: sent after the end, it would be kept, on a connection that is the next one's.
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

/** Names statement texts, each always the same; none beyond the first so many. */
type NameOf = (text: string) => string | undefined;

/** Answers a function that names statement texts, each always the same; none beyond the first `most`. */
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
 * Statements of a pool that have a name. Each is planned once per connection, and the server keeps it: callers choose which columns are read, so that
 * there must be a bound. Statements with inlined values must not come here.
 */
const mostNamed = 1_000;

const postgresTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return BigInt;
    return oid === pg.types.builtins.TIMESTAMPTZ ? readTimestamp : pg.types.getTypeParser(oid, format);
  },
};

/** As long as a timer can be set for: 24 days. */
const unlimitedMs = 2_147_483_647;

/** The connections of the pool are all of this kind, which its types do not say. */
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

/** Opens a pool of connections to a server. */
export function openPostgres(url: string, poolSize: number, timeouts: DatabaseTimeouts): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    options: sessionOptions(timeouts),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    Client: AnsweringClient,
    // Statements of a transaction that do not need each other's answers go out side by side.
    pipeline: true,
    // What they send leaves in one piece.
    stream: gatheringSocket,
  } as pg.PoolConfig);
  // An idle connection the server closed is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => limitSilence(client, timeouts.silenceMs));
  renewPlans(pool);
  const prisma = new PrismaClient({ adapter: watched(new PrismaPg(pool)) });
  const nameOf = statementNames(mostNamed);
  const query = postgresQuery(pool, nameOf);
  return {
    kind: 'postgres',
    prisma,
    isDistributed: distributionOf(query),
    query: (text, params, rowOf) => {
      assertOutsideTransaction();
      return query(text, params, rowOf);
    },
    transaction: transactionRunner(openedByDriver(pool, prisma, timeouts, nameOf)),
    plain: async (text, params) => {
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
        // A script may have failed inside a transaction it began; its connection goes.
        client.release(true);
        throw error;
      } finally {
        client.off('error', isLost);
      }
    },
    script: async (sql) => {
      // It takes as long as it takes. Where it fails, the connection goes with whatever it had begun.
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
    },
    listen: (channel, listener) =>
      openChannel(
        { connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 },
        channel,
        listener,
      ),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
