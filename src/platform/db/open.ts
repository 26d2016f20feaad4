import { ConfigurationError } from '../config.ts';
import { type DatabaseTimeouts, defaultTimeouts } from '../database-timeouts.ts';
import type { Database } from './pool.ts';
import { assertPooler } from './pooler.ts';
import { openPostgres, type ReplicaTarget } from './postgres.ts';

type ReplicaSettings = {
  /** URL of a read replica for lists and metrics. */
  readonly databaseReplicaUrl?: string | undefined;
  readonly databaseReplicaLagMs?: number;
  readonly databaseWaitMs?: number;
};

type DatabaseSettings = ReplicaSettings & {
  readonly databaseUrl?: string | undefined;
  /** URL of the server if `databaseUrl` is the URL of a pooler in transaction mode. */
  readonly databaseDirectUrl?: string | undefined;
  readonly databasePoolSize: number;
  readonly databaseTimeouts?: DatabaseTimeouts;
  readonly dataDir: string;
};

/** Returns the address of the replica and the bounds of its use. A caller's writes are visible after the longest request and the lag. */
const replicaOf = ({
  databaseReplicaUrl: url,
  databaseReplicaLagMs: lagMs = 5_000,
  databaseWaitMs = 15_000,
}: ReplicaSettings): ReplicaTarget | null =>
  url === undefined ? null : { url, lagMs, afterWriteMs: lagMs + databaseWaitMs };

/**
 * Opens the configured database: a server if the settings contain a URL, otherwise an embedded database in the data directory. Throws a
 * ConfigurationError if a pooler in front of the server isn't configured as the service needs.
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, databasePoolSize, dataDir } = settings;
  const { databaseTimeouts = defaultTimeouts } = settings;
  if (databaseUrl !== undefined) {
    if (databaseDirectUrl !== undefined) await assertPooler(databaseUrl, databaseTimeouts);
    const urls = { url: databaseUrl, direct: databaseDirectUrl ?? null };
    return openPostgres(urls, databasePoolSize, databaseTimeouts, replicaOf(settings));
  }
  // Loaded on demand, because the package is large and container images don't include it.
  const { openPglite } = await import('./pglite.ts').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')
      throw new ConfigurationError('There is no embedded database in this installation. Set DATABASE_URL.');
    throw cause;
  });
  return openPglite(dataDir);
}
