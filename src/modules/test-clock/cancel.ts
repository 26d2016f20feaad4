import type { Context } from '../../context.ts';
import { type RunRow, requestRunCancel } from '../../infra/clock-rows.ts';
import { wakeEnvironment, workTopic } from '../../infra/lease.ts';
import { inTransaction } from '../../transaction.ts';
import { requireRun } from './service.ts';

/**
 * Asks for the end of a run after its current batch; it then ends `failed` with the code `canceled`, the clock at the last executed instant
 * (protocols B7). A run that is over stays as it is. Answers the run. Throws `not_found`.
 */
export function cancelRun(context: Context, { id }: { readonly id: string }): Promise<RunRow> {
  return inTransaction(
    context,
    async (tx) => {
      await requestRunCancel(tx.sql, id);
      const run = await requireRun(tx, id);
      const { transaction } = tx;
      if (transaction !== null && run.isCancelRequested) {
        await wakeEnvironment(transaction.query, tx.environment.id, tx.wall.now());
        transaction.afterCommit(() => tx.app.pubsub.hint(workTopic));
      }
      return run;
    },
    // A batch holds the clock row; the request only waits for the row of the run.
    { clockLock: 'none' },
  );
}
