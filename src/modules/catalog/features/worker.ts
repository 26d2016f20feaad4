import { recountWindows } from '../../../engine/usage/recount.ts';
import { type Context, findSystemContext } from '../../../request/context.ts';
import { declareLoop } from '../../../request/loop.ts';
import {
  endRecount,
  findFeature,
  findRecounts,
  type RecountKey,
  readRecount,
  recountLeases,
  recountTopicPrefix,
} from './store.ts';

/** Maximum number of features that a process counts again at the same time. */
const places = 2;

/**
 * Counts the open usage windows of a feature again, batch by batch (PRM-123). The recount ends after a pass that changes no window. It
 * therefore includes windows whose first usage was recorded during an earlier pass. Starts no further batch after `goesOn` returns false.
 */
async function recountFeature(ctx: Context, id: string, goesOn: () => boolean): Promise<void> {
  const requestedAt = await readRecount(ctx.sql, id);
  if (requestedAt === null) return;
  const feature = await findFeature(ctx, id);
  let switched = 0;
  for (let last: string | null = ''; feature !== null && last !== null; ) {
    if (!goesOn()) return;
    const batch = await recountWindows(ctx, feature, last);
    switched += batch.switched;
    last = batch.last;
  }
  if (switched === 0) await endRecount(ctx.sql, id, requestedAt);
}

/** Loop that counts open usage windows again after dimensions were added to a meter. */
export const recountLoop = declareLoop<RecountKey>('recounts', (app) => {
  const { config, database } = app;
  return {
    about: 'Recounts of usage',
    table: recountLeases,
    places: database.kind === 'pglite' ? 1 : places,
    leaseMs: config.workerLeaseMs,
    pollMs: config.workerPollMs,
    wakesOn: recountTopicPrefix,
    find: (limit, now, within) => findRecounts(database.query, now, limit, within),
    work: async ({ key, owner, goesOn }) => {
      // The context is `null` if the organization was archived. Its usage isn't counted again.
      const ctx = await findSystemContext(app, key.environmentId, `recounts ${owner}`);
      if (ctx !== null) await recountFeature(ctx, key.id, goesOn);
    },
  };
});
