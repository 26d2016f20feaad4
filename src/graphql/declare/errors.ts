import { GraphQLError } from 'graphql';
import {
  type ErrorCode,
  errorDetails,
  QuittanceError,
  specificError,
  validationError,
} from '../../domain/errors/errors.ts';
import { ClientLeftError } from '../../platform/client-left.ts';
import { isOfOutage, isTemporary } from '../../platform/db/temporary.ts';
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
  /** Number of errors by error code, for the metrics of the process. */
  readonly rejections: Map<string, number>;
};

export const errorContextOf = (
  ctx: Pick<Context, 'app' | 'version' | 'requestId' | 'log'>,
): ErrorContext => ({
  publicUrl: ctx.app.config.publicUrl,
  version: ctx.version,
  requestId: ctx.requestId,
  log: ctx.log,
  rejections: ctx.app.rejections,
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
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  };
}

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
  const shown = shownError(error, context);
  context.rejections.set(shown.code, (context.rejections.get(shown.code) ?? 0) + 1);
  return shown;
}

function shownError(error: unknown, context: ErrorContext): ClientError {
  const own = ownError(error);
  if (own !== null) return describe(own, context);
  if (error instanceof GraphQLError && isCallersMistake(error)) {
    return describe(validationError([{ field: '', message: error.message }]), context);
  }
  const cause = error instanceof GraphQLError ? error.originalError : error;
  const temporary = isTemporary(cause);
  const path = error instanceof GraphQLError ? error.path : undefined;
  if (!(cause instanceof ClientLeftError) && !isOfOutage(cause))
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
