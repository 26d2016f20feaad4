import type pg from 'pg';
import { monotonicMs } from './clock.ts';

const firstMs = 1_000;

/**
 * Lets each connection of a pool plan its statements anew whenever its age has doubled, beginning with a second. The server keeps the plan of
 * a prepared statement, and that of a check of a foreign key, until it has gathered statistics: one made while a table is empty reads the whole
 * table, however many rows have come since.
 */
export function renewPlans(pool: pg.Pool): void {
  const ages = new WeakMap<pg.PoolClient, { readonly openedMs: number; dueMs: number }>();
  pool.on('connect', (client) => {
    const openedMs = monotonicMs();
    ages.set(client, { openedMs, dueMs: openedMs + firstMs });
  });
  pool.on('acquire', (client) => {
    const age = ages.get(client);
    const nowMs = monotonicMs();
    if (age === undefined || nowMs < age.dueMs) return;
    age.dueMs = nowMs + (nowMs - age.openedMs);
    // It goes before the statement the connection is taken for, which tells of a connection that is gone.
    client.query('DISCARD PLANS').catch(() => undefined);
  });
}
