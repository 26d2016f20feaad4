import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../root.ts';
import { readMigrations } from './migrations.ts';

// Prepared database: an archive of an empty, migrated data directory, created by `npm run generate`. Unpacking the archive takes a tenth of a second,
// whereas creating a new directory takes several seconds.

/** Folder of the repository for files that can be regenerated. */
export const cacheFolder = path.join(root, '.cache');

/** Script that creates the archive. Included in the version hash, because a change to the script affects the archive. */
const maker = path.join(root, 'prisma/prepared-database.ts');

const require = createRequire(import.meta.url);

/** Returns the archive version: a hash of the migrations, the PGlite version and the script. */
export async function preparedVersion(): Promise<string> {
  const hash = createHash('sha256');
  for (const migration of await readMigrations()) hash.update(migration.checksum);
  const pglite = require.resolve('@electric-sql/pglite');
  const { version } = JSON.parse(
    await readFile(path.join(path.dirname(pglite), '../package.json'), 'utf8'),
  ) as { version: string };
  hash.update(version).update(await readFile(maker));
  return hash.digest('hex').slice(0, 16);
}

/** Returns the path of the archive for the current version, which may not exist. */
export const preparedFile = async (folder: string): Promise<string> =>
  path.join(folder, `embedded-${await preparedVersion()}.tar`);

export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Returns the archive of the current version. `null` if the file doesn't exist or can't be read. */
export async function readPrepared(folder: string): Promise<Blob | null> {
  try {
    return new Blob([await readFile(await preparedFile(folder))]);
  } catch {
    return null;
  }
}

/** Unpacks the archive into an empty folder. Returns false if there's no archive or no `tar`; in that case, the folder must not be used. */
async function unpack(folder: string, target: string): Promise<boolean> {
  const file = await preparedFile(folder).catch(() => null);
  if (file === null || !(await exists(file))) return false;
  await mkdir(target, { recursive: true });
  return promisify(execFile)('tar', ['-xf', file, '-C', target]).then(
    () => true,
    () => false,
  );
}

/**
 * Creates the folder of the embedded database if it doesn't exist, from the archive or with `initialize`. The folder is renamed after it is complete,
 * so that a crash leaves no partial database. The caller must hold the lock of the data directory.
 */
export async function makeDatabaseFolder(
  target: string,
  folder: string,
  initialize: (target: string) => Promise<void>,
): Promise<void> {
  if (await exists(target)) return;
  const aside = `${target}.new`;
  await rm(aside, { recursive: true, force: true });
  if (!(await unpack(folder, aside))) {
    await rm(aside, { recursive: true, force: true });
    await initialize(aside);
  }
  await rename(aside, target);
}
