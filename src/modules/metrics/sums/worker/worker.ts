import { eventTopicPrefix } from '../../../../outbox/write.ts';
import type { Leased } from '../../../../platform/queue/leased-loop.ts';
import { type App, systemContext } from '../../../../request/context.ts';
import { declareLoop } from '../../../../request/loop.ts';
import { openRevenue } from '../../metrics/worker/open.ts';
import { foldNext } from './fold.ts';
import { findSumWork, type SumKey, sumLeases } from './store.ts';

/** Maximum number of cursors that one process moves at the same time. */
const places = 3;

/** Maximum number of batches that are processed for one cursor before other cursors get a turn. */
const batchesPerVisit = 20;

/**
 * Pause between searches. The sums may lag behind, because reads include the rows after the cursors. The pause can be long, because every
 * commit with events wakes the loop.
 */
const restMs = 500;

const leaseMs = 30_000;

/** Adds the new rows of a source to the sums in an environment. */
async function serve(app: App, { key, owner, goesOn }: Leased<SumKey>): Promise<void> {
  const context = () => systemContext(app, key.environmentId, `sums ${owner}`);
  if (key.source === 'revenue') await openRevenue(await context());
  for (let batch = 0; batch < batchesPerVisit && goesOn(); batch++) {
    if (!(await foldNext(await context(), key.source, owner))) return;
  }
}

/**
 * Loop that updates all sums (MET-71a). Several processes can run the loop, but only one process at a time adds the rows of a source in an
 * environment. During a clock run, the environment's sums wait until the run ends.
 */
export const sumLoop = declareLoop<SumKey>('sums', (app) => {
  const { config, database } = app;
  return {
    about: 'Sums',
    table: sumLeases,
    places: database.kind === 'pglite' ? 1 : places,
    leaseMs,
    pollMs: config.workerPollMs,
    restMs,
    wakesOn: eventTopicPrefix,
    find: (limit, now, within) => findSumWork(database, now, limit, within),
    work: (leased) => serve(app, leased),
  };
});
