import { GraphQLError } from 'graphql';
import {
  type ErrorCode,
  errorDetails,
  QuittanceError,
  specificError,
  validationError,
} from '../../domain/errors/errors.ts';
import { ClientLeftError } from '../../platform/client-left.ts';
import { DatabaseBusyError } from '../../platform/db/pool.ts';
import type { Log } from '../../platform/log.ts';
import { RateLimitedError, rateHeaders } from '../../request/admission.ts';
import type { Context } from '../../request/context.ts';
import { UnfitValue } from './scalars.ts';
import { PersistedQueryNotSupportedError } from './trusted-documents.ts';

/** Request details that are included in error responses. */
export type ErrorContext = {
  readonly publicUrl: string;
  readonly version: string;
  readonly requestId: string;
  readonly log: Log;
};

export const errorContextOf = (
  ctx: Pick<Context, 'app' | 'version' | 'requestId' | 'log'>,
): ErrorContext => ({
  publicUrl: ctx.app.config.publicUrl,
  version: ctx.version,
  requestId: ctx.requestId,
  log: ctx.log,
});

/** Error as returned to clients. REST and GraphQL use the same format (PLT-70, PLT-71). */
export type ClientError = {
  readonly type: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly param?: string;
  readonly details?: unknown;
  readonly doc_url: string;
  readonly status: number;
  /** Time in seconds to wait before retrying. Undefined if a retry doesn't help. */
  readonly retryAfter?: number;
};

/** Returns the documentation URL of an error code. */
export const docUrl = (context: Pick<ErrorContext, 'publicUrl' | 'version'>, code: ErrorCode): string =>
  `${context.publicUrl}/docs/api-reference/${context.version}/errors/${code}.md`;

/** HTTP status for temporary failures, and the recommended waiting time before a retry. */
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

// Codes of temporary database errors. 08 and 57P: connection failure, server shutdown, or server start. 53:
// insufficient resources. 57014 and 25P03: timeout of an SQL statement or of an idle transaction. 55P03: lock not
// available. P1… and P2028: Prisma connection and transaction errors.
const temporaryCode =
  /^(08\d{3}|57P\d{2}|57014|53\d{3}|25P03|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|P1001|P1002|P1008|P1017|P2028)$/;
// The last alternative matches a Citus error: the coordinator lost its connection to a node.
const temporaryMessage =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|failure on connection marked as essential/;
const temporaryKinds: readonly unknown[] = [
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
];

/**
 * True if a Prisma driver adapter reports a temporary failure. The adapter reports failures as a plain object with a kind and, in most
 * cases, the database's error code.
 */
const isTemporaryReport = (cause: unknown): boolean => {
  if (typeof cause !== 'object' || cause === null) return false;
  const { kind, originalCode, originalMessage } = cause as Readonly<Record<string, unknown>>;
  return (
    temporaryKinds.includes(kind) ||
    temporaryCode.test(String(originalCode)) ||
    temporaryMessage.test(String(originalMessage))
  );
};

/** Returns the failure report that the driver adapter attached to a Prisma error. */
const reportIn = (error: Error): unknown =>
  'meta' in error
    ? (error.meta as { readonly driverAdapterError?: { readonly cause?: unknown } } | undefined)
        ?.driverAdapterError?.cause
    : undefined;

/** True for transient database errors. A retry may succeed. */
export const isTemporary = (error: unknown): boolean => {
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    if (cause instanceof DatabaseBusyError) return true;
    if ('code' in cause && temporaryCode.test(String(cause.code))) return true;
    if (temporaryMessage.test(cause.message) || isTemporaryReport(reportIn(cause))) return true;
  }
  return isTemporaryReport(cause);
};

/** Returns the QuittanceError that GraphQL errors wrap, or `null`. */
function ownError(error: unknown): QuittanceError | null {
  if (error instanceof QuittanceError) return error;
  if (error instanceof GraphQLError && error.originalError !== undefined)
    return ownError(error.originalError);
  return null;
}

/**
 * True if the document or its variables caused the error: the error wraps no other error, or a scalar rejected a value before execution.
 * Invalid variables are wrapped one level deeper than invalid literals.
 */
function isCallersMistake({ originalError, path }: GraphQLError): boolean {
  if (originalError === undefined) return true;
  if (path !== undefined) return false;
  return originalError instanceof GraphQLError
    ? isCallersMistake(originalError)
    : originalError instanceof UnfitValue;
}

/**
 * Returns the error to send to the client. Unknown errors are logged in full and become `internal_error`, with status 503 if the failure is
 * temporary.
 */
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

/** HTTP status and headers of the response to an error. */
export type HttpDetails = { readonly status?: number; readonly headers?: Readonly<Record<string, string>> };

/** HTTP statuses of requests that are rejected before GraphQL processing: wrong method, or body too large. */
const requestStatuses: readonly unknown[] = [405, 413];

/** Returns the HTTP status and headers that an error specifies. Undefined if the default status of the error code applies. */
function httpDetailsOf(error: unknown): HttpDetails | undefined {
  const own = ownError(error);
  if (own instanceof RateLimitedError) return { headers: rateHeaders(own) };
  const details =
    error instanceof GraphQLError ? (error.extensions['http'] as HttpDetails | undefined) : undefined;
  return requestStatuses.includes(details?.status) ? details : undefined;
}

/** Code and status that make clients with automatic persisted queries resend the full document. */
const persistedQueryDetails = (error: unknown): object =>
  error instanceof PersistedQueryNotSupportedError ? { code: error.code, status: 200 } : {};

/** Converts an error for a GraphQL response. `extensions` contains the same fields as a REST error, plus the status and the request ID. */
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
  // The message has no final period, because clients with automatic persisted queries compare the message.
  const shownMessage = error instanceof PersistedQueryNotSupportedError ? error.message : message;
  return new GraphQLError(shownMessage, {
    ...place,
    extensions: { ...extensions, requestId: context.requestId },
  });
}

const isShown = (error: Error): error is GraphQLError =>
  error instanceof GraphQLError && 'requestId' in error.extensions;

/** Converts the errors in a result to the format that clients receive. */
export const shownErrors = (
  { errors = [] }: { readonly errors?: readonly Error[] },
  ctx: Pick<Context, 'app' | 'version' | 'requestId' | 'log'>,
): GraphQLError[] =>
  errors.map((error) => (isShown(error) ? error : graphqlError(error, errorContextOf(ctx))));

/** True if all root fields in a result are `null`. */
const isEmpty = ({ data }: { readonly data?: unknown }): boolean =>
  typeof data !== 'object' || data === null || Object.values(data).every((value) => value === null);

/**
 * Sets the HTTP status of an error in `extensions.http`, which isn't sent to the client. Applies to requests that were rejected before execution, and
 * to `unauthorized` fields in a result without other data (PLT-71).
 */
export function addHttpStatus({ extensions }: GraphQLError, result: { readonly data?: unknown }): void {
  if ('data' in result && (extensions['code'] !== 'unauthorized' || !isEmpty(result))) return;
  extensions['http'] = {
    status: Number(extensions['status']),
    ...(extensions['http'] as object | undefined),
  };
}
