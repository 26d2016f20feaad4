import { mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/** Another living process has the embedded database open. Two would destroy it (protocols A8). */
export class DataDirectoryInUseError extends Error {
  override name = 'DataDirectoryInUseError';
}

/** Directories this process holds. A lock file with our own id that is not among them was left by a predecessor with the same id, as containers have. */
const held = new Set<string>();

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not being allowed to signal a process means that it exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/**
 * Takes the exclusive lock file of a data directory, making the directory when it does not exist.
 * The lock of a process that no longer lives is taken over. Answers a function that gives the lock back.
 * Throws DataDirectoryInUseError when a living process holds it.
 */
export async function lockDataDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const file = path.resolve(directory, 'process.lock');
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      held.add(file);
      return async () => {
        held.delete(file);
        await rm(file, { force: true });
      };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      const holder = Number(await readFile(file, 'utf8').catch(() => '0'));
      if (holder === process.pid ? held.has(file) : holder > 0 && isAlive(holder)) {
        throw new DataDirectoryInUseError(
          `The embedded database in ${directory} is open in process ${holder}. Stop it first, or set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL server that several processes can share.`,
        );
      }
      await rm(file, { force: true });
    }
  }
  throw new DataDirectoryInUseError(`The lock of ${directory} could not be taken: another process is taking it at the same time.`);
}
