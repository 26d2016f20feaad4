import { eventTopic } from '../../../outbox/write.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { forgetSums, lockLedgerDayCursor } from '../ledger-days/store.ts';
import { forgetOutcomes } from '../outcome-days/store.ts';
import { forgetUsage, lockUsageCursor } from '../usage-days/store.ts';
import { recountActive } from './store.ts';
import { deleteFolded, lockCursor, moveCursor } from './worker/store.ts';

/**
 * Deletes the sums derived from entries, transfers, events, and usage, and recounts active subscriptions. The workers then aggregate all
 * sources from the start. Sums whose events are deleted after a retention period are kept, because they couldn't be rebuilt: trials and
 * recoveries for events, and usage for usage events.
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
    // Recount last, because many transactions wait for the counter row.
    await recountActive(tx.sql);
    tx.transaction.afterCommit(() => tx.app.pubsub.hint(eventTopic(tx.environment.id)));
    return true;
  });
