import { ConfigurationError } from '../config.ts';
import { type DatabaseTimeouts, defaultTimeouts } from '../database-timeouts.ts';
import type { Database } from './pool.ts';
import { openPostgres } from './postgres.ts';

/** Opens the configured database: a server if the settings contain a URL, otherwise an embedded database in the data directory. */
export async function openDatabase(settings: {
  databaseUrl?: string | undefined;
  databasePoolSize: number;
  databaseTimeouts?: DatabaseTimeouts;
  dataDir: string;
}): Promise<Database> {
  const { databaseUrl, databasePoolSize, databaseTimeouts = defaultTimeouts, dataDir } = settings;
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, databasePoolSize, databaseTimeouts);
  // Loaded on demand, because the package is large and container images don't include it.
  const { openPglite } = await import('./pglite.ts').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')
      throw new ConfigurationError('There is no embedded database in this installation. Set DATABASE_URL.');
    throw cause;
  });
  return openPglite(dataDir);
}
