import { GraphQLError } from 'graphql';
import { RateLimitedError, rateHeaders } from '../admission.ts';
import type { Context } from '../context.ts';
import {
  type ErrorCode,
  errorDetails,
  QuittanceError,
  specificError,
  validationError,
} from '../domain/errors.ts';
import { ClientLeftError } from '../platform/client-left.ts';
import { DatabaseBusyError } from '../platform/db/pool.ts';
import type { Log } from '../platform/log.ts';
import { UnfitValue } from './scalars.ts';
import { PersistedQueryNotSupportedError } from './trusted-documents.ts';

/** What an error answer is made with. */
export type ErrorContext = {
  readonly publicUrl: string;
  readonly version: string;
  readonly requestId: string;
  readonly log: Log;
};

/** What error answers of a context are made with. */
export const errorContextOf = (
  ctx: Pick<Context, 'app' | 'version' | 'requestId' | 'log'>,
): ErrorContext => ({
  publicUrl: ctx.app.config.publicUrl,
  version: ctx.version,
  requestId: ctx.requestId,
  log: ctx.log,
});

/** What clients receive about a failure, the same over REST and GraphQL (PLT-70, PLT-71). */
export type ClientError = {
  readonly type: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly param?: string;
  readonly details?: unknown;
  readonly doc_url: string;
  readonly status: number;
  /** Seconds to wait before trying again, where trying again helps. */
  readonly retryAfter?: number;
};

/** Documentation address of a code. */
export const docUrl = (context: Pick<ErrorContext, 'publicUrl' | 'version'>, code: ErrorCode): string =>
  `${context.publicUrl}/docs/api-reference/${context.version}/errors/${code}.md`;

/** The status of what may succeed a moment later, and the moment. */
const unavailable = 503;
const retryAfterSeconds = 1;

function describe(error: QuittanceError, context: ErrorContext): ClientError {
  const { type, status } = errorDetails(error.code);
  return {
    type,
    code: error.code,
    message: error.message,
    ...(error.param === undefined ? {} : { param: error.param }),
    ...(error.details === undefined ? {} : { details: error.details }),
    doc_url: docUrl(context, error.code),
    status,
    ...(status === unavailable ? { retryAfter: retryAfterSeconds } : {}),
    ...(error instanceof RateLimitedError ? { retryAfter: error.allowance.resetSeconds } : {}),
  };
}

// Class 08, 57P: the connection failed, or the server is going down or coming up. 53: it is out of disk, memory or connections. 57014, 25P03: a
// statement took too long, a transaction stood still for too long. 55P03: a lock was not given in time. P1…: Prisma's words; P2028: its transaction is over.
const temporaryCode =
  /^(08\d{3}|57P\d{2}|57014|53\d{3}|25P03|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|P1001|P1002|P1008|P1017|P2028)$/;
// The last one is Citus': a connection of the coordinator to a node was lost.
const temporaryMessage =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|failure on connection marked as essential/;
const temporaryKinds: readonly unknown[] = [
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
];

/** What a driver adapter of Prisma reports, which is no Error: its kind, and the server's code where there is one. */
const isTemporaryReport = (cause: unknown): boolean => {
  if (typeof cause !== 'object' || cause === null) return false;
  const { kind, originalCode, originalMessage } = cause as Readonly<Record<string, unknown>>;
  return (
    temporaryKinds.includes(kind) ||
    temporaryCode.test(String(originalCode)) ||
    temporaryMessage.test(String(originalMessage))
  );
};

/** What Prisma puts beside an error of its client: the report of the adapter. */
const reportIn = (error: Error): unknown =>
  'meta' in error
    ? (error.meta as { readonly driverAdapterError?: { readonly cause?: unknown } } | undefined)
        ?.driverAdapterError?.cause
    : undefined;

/** True when the database could not be reached or could not do what it was asked to for now, after which the same request may succeed a moment later. */
export const isTemporary = (error: unknown): boolean => {
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    if (cause instanceof DatabaseBusyError) return true;
    if ('code' in cause && temporaryCode.test(String(cause.code))) return true;
    if (temporaryMessage.test(cause.message) || isTemporaryReport(reportIn(cause))) return true;
  }
  return isTemporaryReport(cause);
};

/** Finds the failure of ours under what GraphQL wrapped around it, or null. */
function ownError(error: unknown): QuittanceError | null {
  if (error instanceof QuittanceError) return error;
  if (error instanceof GraphQLError && error.originalError !== undefined)
    return ownError(error.originalError);
  return null;
}

/**
 * Whether the document or its values are at fault: nothing failed underneath, or a scalar rejected a value before execution gave it a path.
 * A bad variable is wrapped once more than a bad literal.
 */
function isCallersMistake({ originalError, path }: GraphQLError): boolean {
  if (originalError === undefined) return true;
  if (path !== undefined) return false;
  return originalError instanceof GraphQLError
    ? isCallersMistake(originalError)
    : originalError instanceof UnfitValue;
}

/** The error the client receives. Unknown failures are logged with everything and shown as `internal_error`, 503 when trying again may help. */
export function clientError(error: unknown, context: ErrorContext): ClientError {
  const own = ownError(error);
  if (own !== null) return describe(own, context);
  if (error instanceof GraphQLError && isCallersMistake(error)) {
    return describe(validationError([{ field: '', message: error.message }]), context);
  }
  const cause = error instanceof GraphQLError ? error.originalError : error;
  const temporary = isTemporary(cause);
  const path = error instanceof GraphQLError ? error.path : undefined;
  if (!(cause instanceof ClientLeftError))
    context.log.error({ err: cause, requestId: context.requestId, path }, 'The request failed.');
  const hidden = describe(specificError('internal_error', temporary ? 'busy' : 'hidden'), context);
  return temporary ? { ...hidden, status: unavailable, retryAfter: retryAfterSeconds } : hidden;
}

/** What an error asks of the HTTP answer it goes out with. */
export type HttpDetails = { readonly status?: number; readonly headers?: Readonly<Record<string, string>> };

/** Statuses that say what was wrong with a request before GraphQL looked at it: its method, its length. */
const requestStatuses: readonly unknown[] = [405, 413];

/** Status and headers an HTTP answer has for an error besides those of its code; undefined where there are none. */
function httpDetailsOf(error: unknown): HttpDetails | undefined {
  const own = ownError(error);
  if (own instanceof RateLimitedError) return { headers: rateHeaders(own) };
  const details =
    error instanceof GraphQLError ? (error.extensions['http'] as HttpDetails | undefined) : undefined;
  return requestStatuses.includes(details?.status) ? details : undefined;
}

/** The code and the status by which clients of automatic persisted queries know that they send documents, in place of those of the rejection. */
const persistedQueryDetails = (error: unknown): object =>
  error instanceof PersistedQueryNotSupportedError ? { code: error.code, status: 200 } : {};

/** The error as GraphQL shows it: the message, the place, and in `extensions` what REST shows plus status and request id. */
export function graphqlError(error: unknown, context: ErrorContext): GraphQLError {
  const { message, ...shown } = clientError(error, context);
  const http = httpDetailsOf(error);
  const extensions = {
    ...shown,
    ...persistedQueryDetails(error),
    ...(http?.status === undefined ? {} : { status: http.status }),
    ...(http === undefined ? {} : { http }),
  };
  const place =
    error instanceof GraphQLError
      ? {
          nodes: error.nodes ?? null,
          source: error.source ?? null,
          positions: error.positions ?? null,
          path: error.path ?? null,
        }
      : {};
  // Such clients compare the message as well: it has no period.
  const shownMessage = error instanceof PersistedQueryNotSupportedError ? error.message : message;
  return new GraphQLError(shownMessage, {
    ...place,
    extensions: { ...extensions, requestId: context.requestId },
  });
}

const isShown = (error: Error): error is GraphQLError =>
  error instanceof GraphQLError && 'requestId' in error.extensions;

/** The errors of a result as they are shown. */
export const shownErrors = (
  { errors = [] }: { readonly errors?: readonly Error[] },
  ctx: Pick<Context, 'app' | 'version' | 'requestId' | 'log'>,
): GraphQLError[] =>
  errors.map((error) => (isShown(error) ? error : graphqlError(error, errorContextOf(ctx))));

/** Whether an operation ran without telling anything: each of its fields is null. */
const isEmpty = ({ data }: { readonly data?: unknown }): boolean =>
  typeof data !== 'object' || data === null || Object.values(data).every((value) => value === null);

/**
 * Puts the status an error has over HTTP into its extension `http`, which is not written: what was rejected before it ran has the status of its
 * code, and so has what nobody may run without a caller (PLT-71), unless the result tells something besides.
 */
export function addHttpStatus({ extensions }: GraphQLError, result: { readonly data?: unknown }): void {
  if ('data' in result && (extensions['code'] !== 'unauthorized' || !isEmpty(result))) return;
  extensions['http'] = {
    status: Number(extensions['status']),
    ...(extensions['http'] as object | undefined),
  };
}
