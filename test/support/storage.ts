import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fillDataDirectory, freshDatabase, serverUrl } from './template.ts';

/** Where a product that outlives its processes keeps its data, as settings beside those given, and how it is removed. */
export async function childStorage(
  settings: Record<string, string>,
): Promise<{ env: Record<string, string>; remove: () => Promise<void> }> {
  if (serverUrl() === undefined) {
    const directory = await mkdtemp(path.join(tmpdir(), 'quittance-'));
    await fillDataDirectory(directory);
    return { env: { ...settings, DATA_DIR: directory }, remove: () => rm(directory, { recursive: true, force: true }) };
  }
  const { database, url, drop } = await freshDatabase();
  await database.close();
  return { env: { ...settings, DATABASE_URL: url ?? '' }, remove: drop };
}
