import { isRealTime } from '../engine/apply.ts';
import { executeDeadlines, retryLater } from '../engine/batch.ts';
import { together } from '../platform/together.ts';
import type { Context } from '../request/context.ts';
import { inTransaction } from '../request/transaction.ts';
import { type Batch, nothingDue } from './batch.ts';
import { readDue } from './due-work.ts';
import { comesFirst, readEnvironmentTask } from './environment-tasks.ts';

/** Makes failed deadlines ready to run when their retry is due. */
async function readyFailed(tx: Context, now: Date): Promise<void> {
  await tx.sql(
    `UPDATE "Deadline" SET state = 'ready', "notBefore" = NULL WHERE "environmentId" = $1 AND state = 'failed' AND "notBefore" <= $2`,
    [now],
  );
}

/**
 * Processes one batch of an environment's due deadlines in real time (BIL-59). Returns an empty batch if there are no
 * due deadlines, or if a test clock was started before the batch.
 */
export const runRealTimeBatch = (ctx: Context, limit: number): Promise<Batch> =>
  inTransaction(
    ctx,
    async (tx) => {
      if (!isRealTime(tx)) return nothingDue;
      const now = ctx.wall.now();
      const [, due, environmentTask] = await together([
        readyFailed(tx, now),
        readDue(tx, now, limit),
        readEnvironmentTask(tx, now),
      ]);
      if (comesFirst(environmentTask, due[0])) {
        await environmentTask.run(tx, now);
        return { looked: 1, attempts: [] };
      }
      if (due.length === 0) return nothingDue;
      const { executed, attempts } = await executeDeadlines(tx, due, now);
      await retryLater(tx, executed, now);
      return { looked: due.length, attempts };
    },
    { timeoutMs: 120_000 },
  );
