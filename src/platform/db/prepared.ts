import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../root.ts';
import { readMigrations } from './migrations.ts';

// The prepared database: an archive of a migrated, empty data directory, which `npm run generate` makes. A new data directory is unpacked from
// it, which takes a tenth of a second, where making and migrating one takes several.

/** The folder of what can be made again. */
export const cacheFolder = path.join(root, '.cache');

/** The script that makes the archive: another one makes another archive. */
const maker = path.join(root, 'prisma/prepared-database.ts');

const require = createRequire(import.meta.url);

/** The version of the prepared database: a hash of the migrations, of PGlite's version and of what makes the archive. */
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

/** The archive of the present version, whether it exists or not. Archives of other versions have other names, so none is ever taken for it. */
export const preparedFile = async (folder: string): Promise<string> =>
  path.join(folder, `embedded-${await preparedVersion()}.tar`);

/** Whether a file or folder exists. */
export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** The archive of the present version; null where it was not made, or cannot be read. */
export async function readPrepared(folder: string): Promise<Blob | null> {
  try {
    return new Blob([await readFile(await preparedFile(folder))]);
  } catch {
    return null;
  }
}

/** Unpacks the archive into an empty folder; answers whether it did. Where there is no archive, or no `tar`, the folder is not to be used. */
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
 * Makes the folder of the embedded database where it does not exist: from the archive in `folder`, else by `initialize`. It is made aside and
 * renamed, so that a process that dies meanwhile leaves nothing half-made. The caller has the lock of the data directory.
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
