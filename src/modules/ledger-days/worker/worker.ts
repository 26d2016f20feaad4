import { type App, systemContext } from '../../../context.ts';
import { eventTopicPrefix } from '../../../outbox/write.ts';
import type { EnvironmentKey } from '../../../platform/queue/lease.ts';
import { type Leased, type LeasedLoop, startLeasedLoop } from '../../../platform/queue/leased-loop.ts';
import { findLedgerDayWork, ledgerDayLeases } from '../store.ts';
import { foldBatch } from './fold.ts';

/** Environments summed up at once by one process. */
const maxEnvironments = 2;

/** Transfers added in one transaction. On the embedded database a batch holds up everything else in the process. */
const batchSize = { postgres: 10_000, pglite: 2_000 } as const;

/** Batches for one environment before it makes room. */
const batchesPerVisit = 10;

/** Sums may lie a moment behind, since reads add what is beyond them. */
const restMs = 1_000;

const leaseMs = 30_000;

/** Sums up what is new in the ledger of a leased environment. */
async function serve(app: App, { key, owner, goesOn }: Leased<EnvironmentKey>): Promise<void> {
  const ctx = await systemContext(app, key.environmentId, `ledger days ${owner}`);
  const size = batchSize[app.database.kind];
  for (let batch = 0; batch < batchesPerVisit && goesOn(); batch++) {
    if ((await foldBatch(ctx, owner, size)) < size) return;
  }
}

/** Starts summing up ledgers by day. Any number of processes may do so: each environment is summed up by one at a time. */
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
