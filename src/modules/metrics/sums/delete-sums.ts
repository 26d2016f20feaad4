import { eventTopic } from '../../../outbox/write.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { recountActive } from '../metrics/store.ts';
import { keepsRows, sources } from './list-sources.ts';
import { deleteSums, lockCursors } from './worker/store.ts';

/**
 * Deletes the sums derived from entries, transfers, events, and usage, and recounts active subscriptions. The worker then aggregates all
 * sources from the start. Sums whose source rows are deleted after a retention period are kept, because they couldn't be rebuilt: trials and
 * recoveries for events, and usage for usage events.
 */
export const rebuildMetrics = (ctx: Context): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    await lockCursors(tx.sql);
    for (const source of sources) {
      if (keepsRows(tx.app, source)) await deleteSums(tx.sql, source);
    }
    // Recount last, because many transactions wait for the counter row.
    await recountActive(tx.sql);
    tx.transaction.afterCommit(() => tx.app.pubsub.hint(eventTopic(tx.environment.id)));
    return true;
  });
