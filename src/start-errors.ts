import { ConfigurationError } from './platform/config.ts';
import { DataDirectoryInUseError } from './platform/db/data-directory.ts';
import { MigrationError } from './platform/db/migrate.ts';

type SystemError = Error & { readonly code: string; readonly path?: string };

const hasCode = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

const noDatabase = 'The database server in DATABASE_URL cannot be reached.';

/** What to say for a code of the operating system or of PostgreSQL. */
const sentences: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is in use by another program. Set PORT to a free one.',
  EADDRNOTAVAIL: 'This machine does not have the address in HOST.',
  ECONNREFUSED: `${noDatabase} Check that it runs and that host and port are right.`,
  ENOTFOUND: `${noDatabase} Its host name is unknown.`,
  EAI_AGAIN: `${noDatabase} Its host name cannot be resolved.`,
  ECONNRESET: `${noDatabase} It closed the connection.`,
  ETIMEDOUT: `${noDatabase} It does not answer.`,
  EHOSTUNREACH: `${noDatabase} There is no route to its host.`,
  ENETUNREACH: `${noDatabase} There is no route to its network.`,
  ENOSPC: 'The disk is full.',
  '28P01': 'The database server rejects the password in DATABASE_URL.',
  '28000': 'The database server rejects the user in DATABASE_URL.',
  '3D000': 'The database named in DATABASE_URL does not exist. Create it first.',
  '42501': 'The user in DATABASE_URL may not create tables in this database.',
  '53300': 'The database server has no connection left.',
  '57P03': 'The database server is starting up. Try again in a moment.',
};

/** The innermost error: drivers and Prisma wrap what the network reported. */
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
    return 'This user may not listen on the port. Set PORT to one above 1023.';
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS')
    return `This user may not write to ${error.path ?? 'DATA_DIR'}.`;
  return sentences[error.code] ?? null;
}

/**
 * A sentence for what a person at the keyboard can put right when a command does not start: settings, ports, files, database, Redis. Null for
 * anything else, which is a fault of the program and wants its stack.
 */
export function startErrorMessage(error: unknown): string | null {
  for (const cause of causes(error)) {
    const sentence = sentenceOf(cause);
    if (sentence !== null) return sentence;
  }
  return null;
}

/** Prints why a command did not start, and ends the process: code 2 where the person can put it right, else 1 with the stack. */
export function failStart(error: unknown): never {
  const sentence = startErrorMessage(error);
  console.error(sentence ?? error);
  process.exit(sentence === null ? 1 : 2);
}
