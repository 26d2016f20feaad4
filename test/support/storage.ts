import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { freshDatabase, serverUrl } from './template.ts';

/** Persistent storage shared by successive processes of the product. */
export type ChildStorage = {
  /** Settings that connect a process to the storage. */
  readonly env: Record<string, string>;
  /** Simulates the time between two processes. Expires the leases of the process that ended, then runs `work`. */
  readonly meanwhile: (work?: (database: Database) => Promise<void>) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Tables with rows that workers lease. */
const leased = ['EnvironmentLease', 'WebhookCursor', 'EmailCursor', 'SumCursor', 'ScheduledTask'];

const between =
  (env: Record<string, string>): ChildStorage['meanwhile'] =>
  async (work) => {
    // Does nothing for an embedded database, because a process ends all leases there when it starts.
    if (work === undefined && serverUrl() === undefined) return;
    const database = await openDatabase(parseConfig(env));
    for (const table of leased) {
      await database.query(`UPDATE "${table}" SET "leaseUntil" = 'epoch' WHERE "leaseOwner" IS NOT NULL`);
    }
    await work?.(database);
    await database.close();
  };

/** Creates migrated, empty storage for processes with these settings. */
export async function childStorage(settings: Record<string, string>): Promise<ChildStorage> {
  if (serverUrl() === undefined) {
    const directory = await mkdtemp(path.join(tmpdir(), 'quittance-'));
    const env = { ...settings, DATA_DIR: directory };
    return { env, meanwhile: between(env), remove: () => rm(directory, { recursive: true, force: true }) };
  }
  const { database, url, drop } = await freshDatabase();
  await database.close();
  const env = { ...settings, DATABASE_URL: url ?? '' };
  return { env, meanwhile: between(env), remove: drop };
}
