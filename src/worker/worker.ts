import { environmentLeases, findDueEnvironments, workTopicPrefix } from '../platform/queue/lease.ts';
import { startLeasedLoop } from '../platform/queue/leased-loop.ts';
import type { App } from '../request/context.ts';
import { EnvironmentWork, releaseAndSchedule } from './environment-work.ts';
import { startScheduledTasks } from './scheduled-tasks.ts';

export type Worker = {
  /** Waits for the current batches, then stops and releases the leases. */
  readonly stop: () => Promise<void>;
};

/** Maximum number of environments processed at the same time. Leaves database connections for the API. */
const maxPlaces = 4;

/**
 * Starts the background work: sandbox clock runs, due deadlines in real time, and the installation's
 * scheduled tasks.
 */
export function startWorker(app: App): Worker {
  const { config, database, log, pubsub, wall } = app;
  const environments = new EnvironmentWork(app);
  const loop = startLeasedLoop({
    about: 'Environments',
    log,
    now: () => wall.now(),
    database,
    table: environmentLeases,
    places:
      database.kind === 'pglite'
        ? 1
        : Math.max(1, Math.min(maxPlaces, Math.floor(config.databasePoolSize / 2))),
    leaseMs: config.workerLeaseMs,
    pollMs: config.workerPollMs,
    find: (limit, now, within) => findDueEnvironments(database.query, now, limit, within),
    work: (leased) => environments.serve(leased),
    release: ({ environmentId }, owner, restsUntil) =>
      releaseAndSchedule(app, environmentId, owner, restsUntil),
  });
  const stopListening = pubsub.onHintsBelow(workTopicPrefix, (environmentId) => loop.wake(environmentId));
  const tasks = startScheduledTasks(app);
  return {
    stop: async () => {
      stopListening();
      await Promise.all([loop.stop(), tasks.stop()]);
    },
  };
}
