import { eventTopicPrefix } from '../../../../outbox/write.ts';
import type { EnvironmentKey } from '../../../../platform/queue/lease.ts';
import { type Leased, type LeasedLoop, startLeasedLoop } from '../../../../platform/queue/leased-loop.ts';
import { type App, systemContext } from '../../../../request/context.ts';
import { findLedgerDayWork, ledgerDayLeases } from '../store.ts';
import { foldBatch } from './fold.ts';

/** Maximum number of environments whose transfers one process aggregates at the same time. */
const maxEnvironments = 2;

/** Number of transfers per transaction. On the embedded database, a batch blocks the whole process. */
const batchSize = { postgres: 10_000, pglite: 2_000 } as const;

/** Maximum number of batches that are processed for one environment before other environments get a turn. */
const batchesPerVisit = 10;

/**
 * Pause between searches for environments with new transfers. The sums may lag behind, because reads include the transfers after the
 * cursor.
 */
const restMs = 1_000;

const leaseMs = 30_000;

/** Aggregates new transfers in a leased environment. */
async function serve(app: App, { key, owner, goesOn }: Leased<EnvironmentKey>): Promise<void> {
  const ctx = await systemContext(app, key.environmentId, `ledger days ${owner}`);
  const size = batchSize[app.database.kind];
  for (let batch = 0; batch < batchesPerVisit && goesOn(); batch++) {
    if ((await foldBatch(ctx, owner, size)) < size) return;
  }
}

/**
 * Starts the worker that aggregates ledger transfers into daily sums. Several processes can run the worker, but only one process at a time
 * aggregates the transfers of an environment.
 */
export function startLedgerDays(app: App): Pick<LeasedLoop, 'stop'> {
  const { config, database, log, wall } = app;
  const loop = startLeasedLoop({
    about: 'Ledger days',
    log,
    now: () => wall.now(),
    database,
    table: ledgerDayLeases,
    places: database.kind === 'pglite' ? 1 : maxEnvironments,
    leaseMs,
    pollMs: Math.max(config.workerPollMs, restMs),
    restMs,
    find: (limit, now, within) => findLedgerDayWork(database.query, now, limit, within),
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
