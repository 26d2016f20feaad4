import { DatabaseBusyError, DatabaseUnavailableError } from './pool.ts';

// Recognizes transient database errors, which the driver and Prisma report in different forms.

/** Codes, messages, and Prisma kinds of a class of errors. */
type Errors = { readonly code: RegExp; readonly message: RegExp; readonly kinds: readonly unknown[] };

/**
 * Errors of a server that is unavailable or closed the connection. 08 and 57P: connection failure, server shutdown, or server start. P1…: Prisma
 * connection errors. The last messages are from Citus: the coordinator has no connection to a node, or lost it.
 */
const unavailability: Errors = {
  code: /^(08\d{3}|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|P1001|P1002|P1017)$/,
  message:
    /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|connection to the remote node|failure on connection marked as essential|could not commit transaction for shard/,
  kinds: ['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout'],
};

/**
 * Other transient errors. 53: insufficient resources. 57014 and 25P03: timeout of an SQL statement or of an idle transaction. 55P03: lock not
 * available. P1008 and P2028: timeouts in Prisma.
 */
const busyness: Errors = {
  code: /^(57P\d{2}|57014|53\d{3}|25P03|55P03|P1008|P2028)$/,
  message: /(?!)/,
  kinds: ['TooManyConnections'],
};

/**
 * True if a Prisma driver adapter reports an error of this class. The adapter reports failures as a plain object with a kind and, in most
 * cases, the database's error code.
 */
const isReported = (cause: unknown, { code, message, kinds }: Errors): boolean => {
  if (typeof cause !== 'object' || cause === null) return false;
  const { kind, originalCode, originalMessage } = cause as Readonly<Record<string, unknown>>;
  return kinds.includes(kind) || code.test(String(originalCode)) || message.test(String(originalMessage));
};

/** Returns the failure report that the driver adapter attached to a Prisma error. */
const reportIn = (error: Error): unknown =>
  'meta' in error
    ? (error.meta as { readonly driverAdapterError?: { readonly cause?: unknown } } | undefined)
        ?.driverAdapterError?.cause
    : undefined;

/** Maximum number of errors that wrap each other. */
const maxDepth = 4;

/** True if an error or one of its causes belongs to this class. */
function belongsTo(error: unknown, errors: Errors): boolean {
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < maxDepth; cause = cause.cause, depth++) {
    if ('code' in cause && errors.code.test(String(cause.code))) return true;
    if (errors.message.test(cause.message) || isReported(reportIn(cause), errors)) return true;
  }
  return isReported(cause, errors);
}

/** True if an error or one of its causes is an instance of the class. */
function isInstance(error: unknown, type: typeof DatabaseBusyError): boolean {
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < maxDepth; cause = cause.cause, depth++)
    if (cause instanceof type) return true;
  return false;
}

/** True if the error is a consequence of an outage, which is logged once when it begins. */
export const isOfOutage = (error: unknown): boolean => isInstance(error, DatabaseUnavailableError);

/** True if the database server, or the node with the rows, is unavailable or closed the connection. */
export const isUnavailable = (error: unknown): boolean => belongsTo(error, unavailability);

/** True for transient database errors. A retry may succeed. */
export const isTemporary = (error: unknown): boolean =>
  isInstance(error, DatabaseBusyError) || isUnavailable(error) || belongsTo(error, busyness);
