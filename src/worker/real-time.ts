import type { Context } from '../context.ts';
import { isRealTime } from '../engine/apply.ts';
import { executeDeadlines, retryLater } from '../engine/batch.ts';
import { together } from '../platform/together.ts';
import { inTransaction } from '../transaction.ts';
import { type Batch, nothingDue } from './batch.ts';
import { readDue } from './due-work.ts';
import { comesFirst, readEnvironmentTask } from './environment-tasks.ts';

/** Lets failed deadlines whose time has come run again. */
async function readyFailed(tx: Context, now: Date): Promise<void> {
  await tx.sql(
    `UPDATE "Deadline" SET state = 'ready', "notBefore" = NULL WHERE "environmentId" = $1 AND state = 'failed' AND "notBefore" <= $2`,
    [now],
  );
}

/**
 * Executes one batch of an environment that lives in real time: what is due by the machine, as if it happened now (BIL-59).
 * Nothing is looked at when nothing is due, or when the environment meanwhile has a test clock of its own.
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
