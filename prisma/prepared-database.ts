import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { migrate } from '../src/platform/db/migrate.ts';
import { createPglite, wrapPglite } from '../src/platform/db/pglite.ts';
import { cacheFolder, preparedFile } from '../src/platform/db/prepared.ts';

/**
 * Returns the archive of an empty, migrated database. Template databases and most of the write-ahead log are removed to
 * keep the archive small, because each new data directory and test file unpacks the archive.
 */
async function dumpMigrated(): Promise<Buffer> {
  const client = await createPglite({ dataDir: 'memory://', initDbStartParams: ['--wal-segsize=1'] });
  await migrate(wrapPglite(client));
  await client.exec('UPDATE pg_database SET datistemplate = false');
  // These SQL statements are executed separately, because they can't run in a transaction.
  for (const statement of ['DROP DATABASE template0', 'DROP DATABASE template1', 'VACUUM FULL', 'CHECKPOINT'])
    await client.exec(statement);
  const dump = await client.dumpDataDir('none');
  await client.close();
  return Buffer.from(await dump.arrayBuffer());
}

/** Creates the archive and deletes archives of other versions. The file is renamed after it is complete, so that concurrent runs don't conflict. */
export async function prepareDatabase(): Promise<void> {
  const file = await preparedFile(cacheFolder);
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(`${file}.${process.pid}`, await dumpMigrated());
  await rename(`${file}.${process.pid}`, file);
  for (const name of await readdir(cacheFolder))
    if (/^embedded-\w+\.tar$/.test(name) && name !== path.basename(file))
      await rm(path.join(cacheFolder, name), { force: true });
}
