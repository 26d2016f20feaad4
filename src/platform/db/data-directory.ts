import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Error thrown if another process has opened the embedded database. Concurrent access would corrupt the data. */
export class DataDirectoryInUseError extends Error {
  override name = 'DataDirectoryInUseError';
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 5;

/** Locks a file until the connection is closed. `null` if the file is already locked. */
function lockFile(file: string): DatabaseSync | null {
  const connection = new DatabaseSync(file, { timeout: 0 });
  try {
    // Acquiring the first lock is atomic, so only one of several processes succeeds. With an in-memory journal, a crash leaves no journal file
    // behind.
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
 * Locks a data directory and creates it if necessary. Returns a function that releases the lock. Throws DataDirectoryInUseError if the directory is
 * already locked. The lock is an operating system lock that SQLite holds on the file `lock`, so it ends with the process and can't become stale. The
 * file `lock.pid` contains the process ID for the error message.
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
