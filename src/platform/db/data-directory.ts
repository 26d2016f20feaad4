import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another living process has the embedded database open. Two would destroy it. */
export class DataDirectoryInUseError extends Error {
  override name = 'DataDirectoryInUseError';
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 5;

/** Takes the lock of a file for as long as the connection stays open; null when someone else has it. */
function lockFile(file: string): DatabaseSync | null {
  const connection = new DatabaseSync(file, { timeout: 0 });
  try {
    // The lock a writer begins with is a single step, so that of several who come at once one has it; no journal file is left by one who dies.
    connection.exec('PRAGMA journal_mode = MEMORY');
    connection.exec('BEGIN IMMEDIATE');
    return connection;
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/**
 * Takes the exclusive lock of a data directory, making the directory when it does not exist. Answers a function that gives the lock back.
 * Throws DataDirectoryInUseError when another living process has it, or this one already.
 *
 * The lock is one of the operating system on the file `lock`, which SQLite takes and nothing is written to: it ends with its process however
 * that ends, so there is never anything stale to judge or to remove. The file stays. `lock.pid` says who has it, for the message alone.
 */
export async function lockDataDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const file = path.resolve(directory, 'lock');
  const lock = lockFile(file);
  if (lock === null) {
    const holder = await readFile(`${file}.pid`, 'utf8').catch(() => '');
    throw new DataDirectoryInUseError(
      `The embedded database in ${directory} is open in ${holder === '' ? 'another process' : `process ${holder}`}. Stop it first, or set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL server that several processes can share.`,
    );
  }
  try {
    await writeFile(`${file}.pid`, String(process.pid));
  } catch (error) {
    lock.close();
    throw error;
  }
  return async () => lock.close();
}
