import type { App } from '../context.ts';
import { monotonicMs } from '../infra/clock.ts';
import { newId } from '../infra/ids.ts';
import { workTopic } from '../infra/lease.ts';
import { Bell } from './bell.ts';
import { Collections } from './collections.ts';
import { removeEndedSessions, removeExpired, removeOldDeliveries, removeOldLetters, removeOldRunItems, resealOld } from './housekeeping.ts';
import { Lane } from './lane.ts';
import { requestModelPrices } from './model-prices.ts';

/** The worker of a process. */
export type Worker = {
  /** Finishes the batches under way, gives the leases back and ends. */
  readonly stop: () => Promise<void>;
};

/** At most this many environments at once; the API needs connections too. */
const maxLanes = 4;

/** On the embedded database a dead process cannot hold a lease any longer: there is only this one (protocols A8). */
async function forgetLeases(app: App): Promise<void> {
  if (app.database.kind === 'pglite') {
    await app.database.query('UPDATE "EnvironmentLease" SET "leaseOwner" = NULL, "leaseUntil" = NULL WHERE "leaseOwner" IS NOT NULL');
  }
}

/**
 * Starts what happens by itself: clock runs of sandboxes, due deadlines of environments in real time, housekeeping (protocols A10, B10).
 * It looks at once when hinted, every `workerPollMs` otherwise. Any number of workers may share a database.
 */
export function startWorker(app: App): Worker {
  let isStopping = false;
  let housekeptAt = Number.NEGATIVE_INFINITY;
  const bell = new Bell();
  const stopListening = app.pubsub.onHint(workTopic, () => bell.ring());
  const collections = new Collections({ app, isStopping: () => isStopping });
  const laneCount = app.database.kind === 'pglite' ? 1 : Math.max(1, Math.min(maxLanes, Math.floor(app.config.databasePoolSize / 2)));

  const housekeep = async (): Promise<void> => {
    if (monotonicMs() - housekeptAt < app.config.housekeepingMs) return;
    housekeptAt = monotonicMs();
    await resealOld(app);
    await removeExpired(app);
    await removeEndedSessions(app);
    await removeOldRunItems(app);
    await removeOldDeliveries(app);
    await removeOldLetters(app);
    await requestModelPrices(app);
  };

  const runLane = async (first: Promise<void>): Promise<void> => {
    const lane = new Lane({ app, name: newId('wrk'), isStopping: () => isStopping, collections });
    await first.catch((error: unknown) => app.log.error({ error }, 'Old leases could not be given back.'));
    while (!isStopping) {
      try {
        const hasWorked = await lane.turn();
        await housekeep();
        if (!hasWorked && !isStopping) await bell.wait(app.config.workerPollMs);
      } catch (error) {
        app.log.error({ error }, 'The worker failed and goes on after a pause.');
        if (!isStopping) await bell.wait(app.config.workerPollMs);
      }
    }
  };

  const forgotten = forgetLeases(app);
  const lanes = Array.from({ length: laneCount }, () => runLane(forgotten));
  return {
    stop: async () => {
      isStopping = true;
      stopListening();
      bell.ring();
      await Promise.all(lanes);
      await collections.end();
    },
  };
}
