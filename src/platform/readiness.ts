import type { Database } from './db/pool.ts';

/** Maximum response time in milliseconds of a database that is ready. */
const readyMs = 2_000;

/**
 * Returns a function that checks whether the database responds within two seconds. Never rejects. Concurrent checks
 * share an SQL statement, so that they don't add load to a slow database.
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
