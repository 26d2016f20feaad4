import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { Channel, ChannelListener } from './listen.ts';
import type { WaitBudget } from './wait-budget.ts';

/** Creates a row from the values of the selected columns, in order. */
export type RowOf = (values: readonly unknown[]) => object;

/**
 * Executes an SQL statement with the driver and returns the rows. Converts bigint, timestamps and JSON. JSON parameters
 * must be text. `rowOf` creates the rows, which is faster for large results.
 */
export type Query = <Row = Record<string, unknown>>(
  text: string,
  params?: readonly unknown[],
  rowOf?: RowOf,
) => Promise<Row[]>;

/** Open transaction. Prisma and the driver execute its statements on the same connection. */
export type Transaction = {
  readonly prisma: Prisma.TransactionClient;
  readonly query: Query;
  /**
   * Executes the last statement of the transaction. If possible, the commit is sent in the same message. If the statement fails, nothing is
   * committed.
   */
  readonly last: Query;
};

/** Maximum time to wait for a connection, and maximum transaction duration, in milliseconds. */
export type TransactionLimits = { readonly maxWaitMs?: number; readonly timeoutMs?: number };

/** Maximum time to wait for a connection, in milliseconds, and the request's budget for all waits. Work without a budget has no deadline. */
type ShareLimits = { readonly waitMs?: number | undefined; readonly budget?: WaitBudget | null };

/** Connections in use by environments, work that waits for a connection, and the places that don't respond. */
export type ShareState = {
  readonly inUse: number;
  readonly waiting: number;
  readonly unavailable: readonly string[];
  /** Environments that used connections for the longest time: number of uses, and time in seconds, since the process started. */
  readonly busiest: readonly {
    readonly environmentId: string;
    readonly count: number;
    readonly seconds: number;
  }[];
};

/** Receives the name of a part of the database, and whether it's unavailable. */
export type OutageListener = (place: string, isOut: boolean) => void;

/** Allocation of database connections to environments. */
export type Share = {
  /**
   * Runs `work` as soon as the environment may use a connection. Throws DatabaseBusyError if the wait takes too long, if the budget is used
   * up, and if the environment's part of the database doesn't respond.
   */
  readonly run: <T>(environmentId: string, work: () => Promise<T>, limits?: ShareLimits) => Promise<T>;
  /** Counts the bytes of a large response. No further work for the environment starts until enough time has passed. */
  readonly charge: (environmentId: string, bytes: number) => void;
  /** Returns the server that contains an environment's rows. On a single server, returns the environment. */
  readonly placeOf: (environmentId: string) => string | Promise<string>;
  readonly state: () => ShareState;
  /** Calls `listener` when a part of the database stops responding, and when it responds again. */
  readonly onOutage: (listener: OutageListener) => void;
};

/** Read replica of a server. */
export type Replica = {
  /** Executes a statement that only reads. Uses the primary server if the replica fails. */
  readonly query: Query;
  /** True if the replica's data is recent, and the caller has written nothing lately. */
  readonly serves: (caller: string) => boolean;
  readonly noteWrite: (caller: string) => void;
  /** Age of the replica's data in seconds. `null` if it isn't known. */
  readonly lagSeconds: () => number | null;
  readonly close: () => Promise<void>;
};

/** Database of a process: an embedded database (PGlite) or a server. Both use the same SQL and migrations. */
export type Database = {
  readonly kind: 'pglite' | 'postgres';
  readonly prisma: PrismaClient;
  /** True if rows are distributed across servers by environment. Statements should then be limited to one environment. */
  readonly isDistributed: () => Promise<boolean>;
  /** Connections of this database by environment. Code that uses a connection must not request another one. */
  readonly share: Share;
  /**
   * Executes an SQL statement outside a transaction. Throws inside a transaction, because the statement would wait
   * forever for the only connection of an embedded database.
   */
  readonly query: Query;
  /** Read replica for lists and metrics. `null` if the process uses no replica. */
  readonly replica: Replica | null;
  /**
   * Runs `work` in a transaction. Retries after deadlocks and serialization failures. Throws DatabaseBusyError if no connection becomes available in
   * time.
   */
  readonly transaction: <T>(
    work: (transaction: Transaction) => Promise<T>,
    limits?: TransactionLimits,
  ) => Promise<T>;
  /** Executes another library's SQL. Returns all rows with the driver's default types. */
  readonly plain: (text: string, params?: readonly unknown[]) => Promise<unknown[]>;
  /** Executes a script of several SQL statements outside a transaction. */
  readonly script: (sql: string) => Promise<void>;
  /** Opens a notification channel. */
  readonly listen: (channel: string, listener: ChannelListener) => Promise<Channel>;
  readonly close: () => Promise<void>;
};

/** Error thrown if no connection becomes available in time. Clients receive status 503 with `Retry-After`, because a retry may succeed. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError';
}

/** Error thrown if the environment's part of the database doesn't respond. The outage is logged once, so these errors aren't logged. */
export class DatabaseUnavailableError extends DatabaseBusyError {
  override name = 'DatabaseUnavailableError';
}
