import type { Database } from './db/pool.ts';

/** How long the database may take to show that it answers, in milliseconds. */
const readyMs = 2_000;

/**
 * Returns a probe that tells whether the database answers within two seconds. It never rejects. Probes that come while one is under way share its
 * statement, so a database that stalls is not asked again and again.
 */
export function openReadiness(database: Database): () => Promise<boolean> {
  let pending: Promise<boolean> | null = null;
  const ask = async (): Promise<boolean> => {
    try {
      await database.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      pending = null;
    }
  };
  return async () => {
    pending ??= ask();
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), readyMs);
    const isReady = await Promise.race([pending, late]);
    clearTimeout(timer);
    return isReady;
  };
}
