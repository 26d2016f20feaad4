import type { EnvironmentKey } from '../../../../platform/queue/lease.ts';
import { type Leased, type LeasedLoop, startLeasedLoop } from '../../../../platform/queue/leased-loop.ts';
import { type App, systemContext } from '../../../../request/context.ts';
import { findUsageDayWork, usageDayLeases } from '../store.ts';
import { foldSlot } from './fold.ts';

/** Maximum number of 5-minute slots that are processed for one environment before other environments get a turn. */
const slotsPerVisit = 20;

const leaseMs = 30_000;

/** Interval between searches of a process for environments with new usage. */
const pollMs = 15_000;

/** Aggregates the usage in a leased environment. */
async function serve(app: App, { key, owner, goesOn }: Leased<EnvironmentKey>): Promise<void> {
  const ctx = await systemContext(app, key.environmentId, `usage days ${owner}`);
  for (let slot = 0; slot < slotsPerVisit && goesOn(); slot++) if (!(await foldSlot(ctx, owner))) return;
}

/**
 * Starts the worker that aggregates usage into daily sums. Several processes can run the worker, but only one process at a time aggregates
 * the usage of an environment.
 */
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
