import { type DatabaseTimeouts, defaultTimeouts } from '../database-timeouts.ts';
import { openPglite } from './pglite.ts';
import type { Database } from './pool.ts';
import { openPostgres } from './postgres.ts';

/** Opens the database the settings name: a server when there is a URL, else embedded in the data directory. */
export async function openDatabase(settings: {
  databaseUrl?: string | undefined;
  databasePoolSize: number;
  databaseTimeouts?: DatabaseTimeouts;
  dataDir: string;
}): Promise<Database> {
  const { databaseUrl, databasePoolSize, databaseTimeouts = defaultTimeouts, dataDir } = settings;
  return databaseUrl === undefined
    ? openPglite(dataDir)
    : openPostgres(databaseUrl, databasePoolSize, databaseTimeouts);
}
