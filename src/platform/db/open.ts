import { ConfigurationError } from '../config.ts';
import { type DatabaseTimeouts, defaultTimeouts } from '../database-timeouts.ts';
import type { Database } from './pool.ts';
import { assertPooler } from './pooler.ts';
import { openPostgres } from './postgres.ts';

/**
 * Opens the configured database: a server if the settings contain a URL, otherwise an embedded database in the data directory. Throws a
 * ConfigurationError if a pooler in front of the server isn't configured as the service needs.
 */
export async function openDatabase(settings: {
  databaseUrl?: string | undefined;
  /** URL of the server if `databaseUrl` is the URL of a pooler in transaction mode. */
  databaseDirectUrl?: string | undefined;
  databasePoolSize: number;
  databaseTimeouts?: DatabaseTimeouts;
  dataDir: string;
}): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, databasePoolSize, dataDir } = settings;
  const { databaseTimeouts = defaultTimeouts } = settings;
  if (databaseUrl !== undefined) {
    if (databaseDirectUrl !== undefined) await assertPooler(databaseUrl, databaseTimeouts);
    const urls = { url: databaseUrl, direct: databaseDirectUrl ?? null };
    return openPostgres(urls, databasePoolSize, databaseTimeouts);
  }
  // Loaded on demand, because the package is large and container images don't include it.
  const { openPglite } = await import('./pglite.ts').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')
      throw new ConfigurationError('There is no embedded database in this installation. Set DATABASE_URL.');
    throw cause;
  });
  return openPglite(dataDir);
}
