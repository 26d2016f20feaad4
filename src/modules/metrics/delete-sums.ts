import type { Context } from '../../context.ts';
import { eventTopic } from '../../outbox/write.ts';
import { inTransaction } from '../../transaction.ts';
import { forgetOutcomes } from '../outcome-days/store.ts';
import { deleteFolded, lockCursor, moveCursor } from './worker/store.ts';

/**
 * Drops what is worked out from entries and events; the worker adds them up again from the first on. The sums of trials and recoveries stay where events
 * are removed after some time, since they could not be made again.
 */
export const rebuildMetrics = (ctx: Context): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    await lockCursor(tx.sql, null);
    await deleteFolded(tx.sql);
    if (ctx.app.config.eventRetentionDays === 0) await forgetOutcomes(tx.sql);
    await moveCursor(tx.sql, { seq: 0n, day: null, closedMonth: null, closesAt: null });
    tx.transaction.afterCommit(() => tx.app.pubsub.hint(eventTopic(tx.environment.id)));
    return true;
  });
