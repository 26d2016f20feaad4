import { eventTopicPrefix } from '../../../../outbox/write.ts';
import type { EnvironmentKey } from '../../../../platform/queue/lease.ts';
import { type Leased, type LeasedLoop, startLeasedLoop } from '../../../../platform/queue/leased-loop.ts';
import { type App, systemContext } from '../../../../request/context.ts';
import { foldNext } from './fold.ts';
import { openRevenue } from './open.ts';
import { findMetricsWork, metricsLeases } from './store.ts';

/** Maximum number of environments whose MRR entries one process aggregates at the same time. */
const maxEnvironments = 2;

const leaseMs = 30_000;

/** Pause between searches for environments with pending entries. The pause can be long, because every commit wakes the loop. */
const restMs = 500;

/** Aggregates the MRR entries in a leased environment in batches. */
async function serve(app: App, { key, owner, goesOn }: Leased<EnvironmentKey>): Promise<void> {
  const context = () => systemContext(app, key.environmentId, `metrics ${owner}`);
  await openRevenue(await context());
  while (goesOn()) {
    if (!(await foldNext(await context(), owner))) return;
  }
}

/** Starts aggregating changes in recurring revenue (MET-71a). During a clock run, the environment's changes wait until the run ends. */
export function startMetrics(app: App): Pick<LeasedLoop, 'stop'> {
  const { config, database, log, wall } = app;
  const loop = startLeasedLoop({
    about: 'Metrics',
    log,
    now: () => wall.now(),
    database,
    table: metricsLeases,
    places: maxEnvironments,
    leaseMs,
    pollMs: config.workerPollMs,
    restMs,
    find: (limit, now, within) => findMetricsWork(database, now, limit, within),
    work: (leased) => serve(app, leased),
  });
  const stopListening = app.pubsub.onHintsBelow(eventTopicPrefix, (environmentId) =>
    loop.wake(environmentId),
  );
  return {
    stop: async () => {
      stopListening();
      await loop.stop();
    },
  };
}
