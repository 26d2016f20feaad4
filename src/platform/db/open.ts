import { ConfigurationError } from '../config.ts';
import { type DatabaseTimeouts, defaultTimeouts } from '../database-timeouts.ts';
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
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, databasePoolSize, databaseTimeouts);
  // Loaded where it is used only: it is large, and a container image comes without it.
  const { openPglite } = await import('./pglite.ts').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')
      throw new ConfigurationError('There is no embedded database in this installation. Set DATABASE_URL.');
    throw cause;
  });
  return openPglite(dataDir);
}
