import { type App, systemContext } from '../../../context.ts';
import type { EnvironmentKey } from '../../../platform/queue/lease.ts';
import { type Leased, type LeasedLoop, startLeasedLoop } from '../../../platform/queue/leased-loop.ts';
import { findUsageDayWork, usageDayLeases } from '../store.ts';
import { foldSlot } from './fold.ts';

/** Spans of five minutes for one environment before it makes room. */
const slotsPerVisit = 20;

const leaseMs = 30_000;

/** How often a process looks for usage to add. */
const pollMs = 15_000;

/** Sums up the usage of a leased environment. */
async function serve(app: App, { key, owner, goesOn }: Leased<EnvironmentKey>): Promise<void> {
  const ctx = await systemContext(app, key.environmentId, `usage days ${owner}`);
  for (let slot = 0; slot < slotsPerVisit && goesOn(); slot++) if (!(await foldSlot(ctx, owner))) return;
}

/** Starts summing up usage by day. Any number of processes may do so: each environment is summed up by one at a time. */
export function startUsageDays(app: App): Pick<LeasedLoop, 'stop'> {
  const { database, log, wall } = app;
  return startLeasedLoop({
    about: 'Usage days',
    log,
    now: () => wall.now(),
    database,
    table: usageDayLeases,
    places: 1,
    leaseMs,
    pollMs,
    find: (limit, now, within) => findUsageDayWork(database.query, now, limit, within),
    work: (leased) => serve(app, leased),
  });
}
