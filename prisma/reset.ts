import { rm } from 'node:fs/promises';
import path from 'node:path';
import { readConfig } from '../src/platform/config.ts';
import { lockDataDirectory } from '../src/platform/db/data-directory.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { failStart } from '../src/start-errors.ts';

// Deletes all data of the configured database and applies all migrations again.

try {
  const config = readConfig();
  if (config.databaseUrl === undefined && config.dataDir !== 'memory:') {
    const release = await lockDataDirectory(config.dataDir);
    await rm(path.join(config.dataDir, 'postgres'), { recursive: true, force: true });
    await release();
  }
  const database = await openDatabase(config);
  if (database.kind === 'postgres')
    await database.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public;');
  await migrate(database);
  await database.close();
  console.log('The database is empty and up to date.');
} catch (error) {
  failStart(error);
}
