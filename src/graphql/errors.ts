import { GraphQLError } from 'graphql';
import type { Context } from '../context.ts';
import { type ErrorCode, errorFacts, QuittanceError } from '../domain/errors.ts';
import { DatabaseBusyError } from '../infra/db.ts';
import type { Log } from '../infra/log.ts';
import { UnfitValue } from './scalars.ts';

/** What an error answer is made with. */
export type ErrorScene = { readonly publicUrl: string; readonly version: string; readonly requestId: string; readonly log: Log };

/** What error answers of a context are made with. */
export const sceneOf = (context: Pick<Context, 'app' | 'version' | 'requestId' | 'log'>): ErrorScene => ({
  publicUrl: context.app.config.publicUrl,
  version: context.version,
  requestId: context.requestId,
  log: context.log,
});

/** What clients are told about a failure, the same at every door (PLT-70, PLT-71). */
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
export const docUrl = (scene: Pick<ErrorScene, 'publicUrl' | 'version'>, code: ErrorCode): string =>
  `${scene.publicUrl}/docs/api-reference/${scene.version}/errors/${code}.md`;

/** The status of what may succeed a moment later, and the moment. */
const unavailable = 503;
const retryAfterSeconds = 1;

function describe(error: QuittanceError, scene: ErrorScene): ClientError {
  const { type, status } = errorFacts(error.code);
  return {
    type,
    code: error.code,
    message: error.message,
    ...(error.param === undefined ? {} : { param: error.param }),
    ...(error.details === undefined ? {} : { details: error.details }),
    doc_url: docUrl(scene, error.code),
    status,
    ...(status === unavailable ? { retryAfter: retryAfterSeconds } : {}),
  };
}

// Classes 08 and 57P: the connection failed or the server is going down or coming up. P1…: Prisma's words for the same; P2028: its transaction is over.
const temporaryCode = /^(08\d{3}|57P\d{2}|53300|ECONNREFUSED|ECONNRESET|EPIPE|P1001|P1002|P1008|P1017|P2028)$/;
const temporaryMessage = /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/;
const temporaryKinds: readonly unknown[] = ['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout', 'TooManyConnections'];

/** What a driver adapter of Prisma reports, which is no Error: its kind, and the server's code where there is one. */
const isTemporaryReport = (cause: unknown): boolean => {
  if (typeof cause !== 'object' || cause === null) return false;
  const { kind, originalCode } = cause as { readonly kind?: unknown; readonly originalCode?: unknown };
  return temporaryKinds.includes(kind) || temporaryCode.test(String(originalCode));
};

/** True for failures of reaching the database, after which the same request may succeed a moment later. */
export const isTemporary = (error: unknown): boolean => {
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    if (cause instanceof DatabaseBusyError) return true;
    if ('code' in cause && temporaryCode.test(String(cause.code))) return true;
    if (temporaryMessage.test(cause.message)) return true;
  }
  return isTemporaryReport(cause);
};

/** Finds the failure of ours under what GraphQL wrapped around it, or null. */
function ownError(error: unknown): QuittanceError | null {
  if (error instanceof QuittanceError) return error;
  if (error instanceof GraphQLError && error.originalError !== undefined) return ownError(error.originalError);
  return null;
}

/**
 * Whether the document or its values are at fault: nothing failed underneath, or a scalar refused a value before execution gave it a path.
 * A bad variable is wrapped once more than a bad literal.
 */
function isCallersMistake({ originalError, path }: GraphQLError): boolean {
  if (originalError === undefined) return true;
  if (path !== undefined) return false;
  return originalError instanceof GraphQLError ? isCallersMistake(originalError) : originalError instanceof UnfitValue;
}

/** What the client is told. Unknown failures are logged with everything and shown as `internal_error`, 503 when trying again may help. */
export function clientError(error: unknown, scene: ErrorScene): ClientError {
  const own = ownError(error);
  if (own !== null) return describe(own, scene);
  if (error instanceof GraphQLError && isCallersMistake(error)) {
    return describe(new QuittanceError('validation_error', error.message, { details: [{ field: '', message: error.message }] }), scene);
  }
  const cause = error instanceof GraphQLError ? error.originalError : error;
  const temporary = isTemporary(cause);
  scene.log.error(
    { err: cause, requestId: scene.requestId, path: error instanceof GraphQLError ? error.path : undefined },
    'The request failed.',
  );
  const hidden = describe(
    new QuittanceError('internal_error', temporary ? 'The service is busy; try again in a moment.' : 'Something went wrong on our side.'),
    scene,
  );
  return temporary ? { ...hidden, status: unavailable, retryAfter: retryAfterSeconds } : hidden;
}

/** The error as GraphQL shows it: the message, the place, and in `extensions` what REST shows plus status and request id. */
export function graphqlError(error: unknown, scene: ErrorScene): GraphQLError {
  const { message, ...extensions } = clientError(error, scene);
  const place =
    error instanceof GraphQLError
      ? { nodes: error.nodes ?? null, source: error.source ?? null, positions: error.positions ?? null, path: error.path ?? null }
      : {};
  return new GraphQLError(message, { ...place, extensions: { ...extensions, requestId: scene.requestId } });
}
