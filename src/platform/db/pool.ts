import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { Channel, ChannelListener } from './listen.ts';

/** Makes a row of the values of its columns, in the order of the statement. */
export type RowOf = (values: readonly unknown[]) => object;

/**
 * Runs one statement on the driver and answers its rows as objects: bigint columns as bigint, timestamps as Date, JSON parsed.
 * Parameters are $1, $2, …; JSON parameters are passed as text. `rowOf` makes the rows, which is faster where there are many.
 */
export type Query = <Row = Record<string, unknown>>(
  text: string,
  params?: readonly unknown[],
  rowOf?: RowOf,
) => Promise<Row[]>;

/** What exists inside a transaction: Prisma and the driver, on the same connection. */
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
  /** Whether rows lie on several servers, those of an environment on one: a statement that names its environment is then one server's work. */
  readonly isDistributed: () => Promise<boolean>;
  /** Outside any transaction; throws inside one, because on PGlite the call would wait for itself. */
  readonly query: Query;
  /** Runs `work` in one transaction, again when the database reports a deadlock or a serialization failure. Throws DatabaseBusyError when no connection came in time. */
  readonly transaction: <T>(
    work: (transaction: Transaction) => Promise<T>,
    limits?: TransactionLimits,
  ) => Promise<T>;
  /** Runs what another library wrote, a statement or a script without parameters, and answers all rows, read as the driver reads them by default. */
  readonly plain: (text: string, params?: readonly unknown[]) => Promise<unknown[]>;
  /** Runs a script of several statements outside a transaction of its own. */
  readonly script: (sql: string) => Promise<void>;
  /** Opens a channel of notifications. */
  readonly listen: (channel: string, listener: ChannelListener) => Promise<Channel>;
  readonly close: () => Promise<void>;
};

/** No connection came in time: the same request may succeed a moment later. Answered as 503 with Retry-After. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError';
}
