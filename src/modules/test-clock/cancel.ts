import type { Context } from '../../context.ts';
import { wakeEnvironment, workTopic } from '../../platform/queue/lease.ts';
import { inTransaction } from '../../transaction.ts';
import { type RunRow, requestRunCancel, requireRun } from './store.ts';

/**
 * Asks for the end of a run after its current batch; it then ends `failed` with the code `canceled`, the clock at the last executed instant
 *. A run that is over stays as it is. Answers the run. Throws `not_found`.
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
    // A batch holds the clock row; the request only waits for the row of the run.
    { clockLock: 'none' },
  );
}
