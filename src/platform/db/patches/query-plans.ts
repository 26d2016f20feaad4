import type pg from 'pg';
import { monotonicMs } from '../../clock.ts';

const firstMs = 1_000;

/** What makes a connection plan its statements again. */
export const forgetPlans = 'DISCARD PLANS';

/**
 * Answers what tells whether a connection opened now should plan its statements again: whenever its age has doubled, beginning with a second. The
 * server keeps the plan of a prepared statement, and that of a check of a foreign key, until it has gathered statistics: one made while a table
 * is empty reads the whole table, however many rows have come since.
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

/** Lets each connection of a pool plan its statements again as it ages. */
export function renewPlans(pool: pg.Pool): void {
  const plans = new WeakMap<pg.PoolClient, () => boolean>();
  pool.on('connect', (client) => plans.set(client, openPlans()));
  pool.on('acquire', (client) => {
    // It goes before the statement the connection is taken for, which describes a connection that is gone.
    if (plans.get(client)?.() === true) client.query(forgetPlans).catch(() => undefined);
  });
}
