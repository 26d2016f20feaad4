import { ConfigurationError } from './platform/config.ts';
import { DataDirectoryInUseError } from './platform/db/data-directory.ts';
import { MigrationError } from './platform/db/migrate.ts';

type SystemError = Error & { readonly code: string; readonly path?: string };

const hasCode = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

const noDatabase = 'The database server in DATABASE_URL cannot be reached.';

/** Messages for the operator, by error code of the operating system or of PostgreSQL. */
const sentences: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is in use by another program. Set PORT to a free one.',
  EADDRNOTAVAIL: 'This machine does not have the address in HOST.',
  ECONNREFUSED: `${noDatabase} Check that it runs and that host and port are right.`,
  ENOTFOUND: `${noDatabase} Its host name doesn't exist.`,
  EAI_AGAIN: `${noDatabase} Its host name cannot be resolved.`,
  ECONNRESET: `${noDatabase} It closed the connection.`,
  ETIMEDOUT: `${noDatabase} The server doesn't respond.`,
  EHOSTUNREACH: `${noDatabase} There is no route to its host.`,
  ENETUNREACH: `${noDatabase} There is no route to its network.`,
  ENOSPC: 'The disk is full.',
  '28P01': 'The database server rejects the password in DATABASE_URL.',
  '28000': 'The database server rejects the user in DATABASE_URL.',
  '3D000': 'The database named in DATABASE_URL does not exist. Create it first.',
  '42501': "The user in DATABASE_URL doesn't have permission to create tables in this database.",
  '53300': 'The database server has no connection left.',
  '57P03': 'The database server is starting up. Try again in a moment.',
};

/** Yields an error and its causes. Drivers and Prisma wrap the original network error. */
function* causes(error: unknown): Generator<unknown> {
  for (let next: unknown = error, depth = 0; next instanceof Error && depth < 8; next = next.cause, depth++) {
    yield next;
    if (next instanceof AggregateError) yield* next.errors;
  }
}

function sentenceOf(error: unknown): string | null {
  if (
    error instanceof ConfigurationError ||
    error instanceof DataDirectoryInUseError ||
    error instanceof MigrationError
  )
    return error.message;
  if (!(error instanceof Error)) return null;
  if (error.name === 'MaxRetriesPerRequestError') return 'The Redis server in REDIS_URL cannot be reached.';
  if (
    /^(Connection terminated due to connection timeout|timeout exceeded when trying to connect)/.test(
      error.message,
    )
  )
    return sentences['ETIMEDOUT'] ?? null;
  if (!hasCode(error)) return null;
  if (error.code === 'EACCES' && error.path === undefined)
    return "The user doesn't have permission to listen on the port. Set PORT to a value above 1023.";
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS')
    return `The user doesn't have permission to write to ${error.path ?? 'DATA_DIR'}.`;
  return sentences[error.code] ?? null;
}

/**
 * Returns a message for start-up errors that an operator can fix, such as errors in settings, ports, files, the database or Redis. `null` if the
 * error is a bug, which needs a stack trace.
 */
function startErrorMessage(error: unknown): string | null {
  for (const cause of causes(error)) {
    const sentence = sentenceOf(cause);
    if (sentence !== null) return sentence;
  }
  return null;
}

/**
 * Prints the reason why a command failed to start, and exits. Exit code 2: an operator can fix the problem. Exit code
 * 1: unexpected error, printed with its stack trace.
 */
export function failStart(error: unknown): never {
  const sentence = startErrorMessage(error);
  console.error(sentence ?? error);
  process.exit(sentence === null ? 1 : 2);
}
