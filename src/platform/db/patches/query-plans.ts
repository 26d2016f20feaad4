import type pg from 'pg';
import { monotonicMs } from '../../clock.ts';

const firstMs = 1_000;

/** Statement that discards the cached query plans of a connection. */
export const forgetPlans = 'DISCARD PLANS';

/**
 * Returns a function that returns true if a connection should discard its query plans. Plans are discarded each time the connection's age
 * doubles, starting at one second. PostgreSQL caches the plans of prepared statements and foreign key checks. A plan that was made for an
 * empty table scans the whole table, even after many rows have been added.
 */
export function openPlans(): () => boolean {
  const openedMs = monotonicMs();
  let dueMs = openedMs + firstMs;
  return () => {
    const nowMs = monotonicMs();
    if (nowMs < dueMs) return false;
    dueMs = nowMs + (nowMs - openedMs);
    return true;
  };
}

/** Discards the query plans of each pool connection at increasing intervals. */
export function renewPlans(pool: pg.Pool): void {
  const plans = new WeakMap<pg.PoolClient, () => boolean>();
  pool.on('connect', (client) => plans.set(client, openPlans()));
  pool.on('acquire', (client) => {
    // Ignores an error, because the next statement reports a lost connection.
    if (plans.get(client)?.() === true) client.query(forgetPlans).catch(() => undefined);
  });
}
