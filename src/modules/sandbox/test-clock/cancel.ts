import { wakeEnvironment, workTopic } from '../../../platform/queue/lease.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type RunRow, requestRunCancel, requireRun } from './store.ts';

/**
 * Cancels a run after its current batch and returns the run. The run ends as `failed` with the code `canceled`, and the
 * clock stays at the time that it has reached. Does nothing if the run has ended. Throws `not_found`.
 */
export function cancelRun(ctx: Context, { id }: { readonly id: string }): Promise<RunRow> {
  return inTransaction(
    ctx,
    async (tx) => {
      await requestRunCancel(tx.sql, id);
      const run = await requireRun(tx, id);
      const { transaction } = tx;
      if (run.isCancelRequested) {
        await wakeEnvironment(transaction.query, tx.environment.id, tx.wall.now());
        transaction.afterCommit(() => tx.app.pubsub.hint(workTopic(tx.environment.id)));
      }
      return run;
    },
    // A batch locks the clock row for a long time. This request doesn't lock the clock row, so it waits only for the run's row.
    { clockLock: 'none' },
  );
}
