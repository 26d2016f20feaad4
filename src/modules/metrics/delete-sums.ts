import type { Context } from '../../context.ts';
import { eventTopic } from '../../outbox/write.ts';
import { inTransaction } from '../../transaction.ts';
import { forgetSums, lockLedgerDayCursor } from '../ledger-days/store.ts';
import { forgetOutcomes } from '../outcome-days/store.ts';
import { forgetUsage, lockUsageCursor } from '../usage-days/store.ts';
import { recountActive } from './store.ts';
import { deleteFolded, lockCursor, moveCursor } from './worker/store.ts';

/**
 * Drops what is worked out from entries, transfers, events and usage; the workers add them up again from the first on, and counts active subscriptions again. The sums of trials and recoveries stay
 * where events are removed after some time, and those of usage where usage events are, since they could not be made again.
 */
export const rebuildMetrics = (ctx: Context): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    await lockCursor(tx.sql, null);
    await deleteFolded(tx.sql);
    const { eventRetentionDays, usageEventRetentionDays } = ctx.app.config;
    if (eventRetentionDays === 0) await forgetOutcomes(tx.sql);
    await lockLedgerDayCursor(tx.sql, null);
    await forgetSums(tx.sql);
    if (usageEventRetentionDays === 0) {
      await lockUsageCursor(tx.sql, null);
      await forgetUsage(tx.sql);
    }
    await moveCursor(tx.sql, { seq: 0n, day: null, closedMonth: null, closesAt: null });
    // Last of all, since the row of counters is hot.
    await recountActive(tx.sql);
    tx.transaction.afterCommit(() => tx.app.pubsub.hint(eventTopic(tx.environment.id)));
    return true;
  });
