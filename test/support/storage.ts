import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { freshDatabase, serverUrl } from './template.ts';

/** Where a product that outlives its processes keeps its data. */
export type ChildStorage = {
  /** The settings of its processes. */
  readonly env: Record<string, string>;
  /**
   * What there is between the end of a process and the start of the next: the leases it held run out, as they do while nobody is there to
   * extend them, and then what `work` does.
   */
  readonly meanwhile: (work?: (database: Database) => Promise<void>) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Everything workers hold on a lease, by table. */
const leased = [
  'EnvironmentLease',
  'WebhookCursor',
  'EmailCursor',
  'LedgerDayCursor',
  'UsageDayCursor',
  'MetricsCursor',
  'ScheduledTask',
];

const between =
  (env: Record<string, string>): ChildStorage['meanwhile'] =>
  async (work) => {
    // The embedded database belongs to one process, so a new one forgets the leases automatically.
    if (work === undefined && serverUrl() === undefined) return;
    const database = await openDatabase(parseConfig(env));
    for (const table of leased) {
      await database.query(`UPDATE "${table}" SET "leaseUntil" = 'epoch' WHERE "leaseOwner" IS NOT NULL`);
    }
    await work?.(database);
    await database.close();
  };

/** A migrated, empty place for the data of processes with these settings. */
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
