import type { App } from '../context.ts';
import { environmentLeases, findDueEnvironments, workTopicPrefix } from '../platform/queue/lease.ts';
import { startLeasedLoop } from '../platform/queue/leased-loop.ts';
import { EnvironmentWork, giveBack } from './environment-work.ts';
import { startScheduledTasks } from './scheduled-tasks.ts';

/** The worker of a process. */
export type Worker = {
  /** Finishes the batches under way, gives the leases back and ends. */
  readonly stop: () => Promise<void>;
};

/** At most this many environments at once; the API needs connections too. */
const maxPlaces = 4;

/**
 * Starts what happens automatically: clock runs of sandboxes, due deadlines of environments in real time, and scheduled tasks of the installation
 *.
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
    release: ({ environmentId }, owner, restsUntil) => giveBack(app, environmentId, owner, restsUntil),
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
