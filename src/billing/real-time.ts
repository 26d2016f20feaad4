import { type Context, inTransaction } from '../context.ts';
import { isRealTime } from '../engine/apply.ts';
import { settleRemote } from '../engine/execute.ts';
import { executeDeadlines, setAside } from './batch.ts';
import { retryDelayMs } from './deadlines.ts';
import { readDue } from './due.ts';

/** Lets failed deadlines whose time has come run again. */
async function readyFailed(tx: Context, now: Date): Promise<void> {
  await tx.sql(
    `UPDATE "Deadline" SET state = 'ready', "notBefore" = NULL WHERE "environmentId" = $1 AND state = 'failed' AND "notBefore" <= $2`,
    [now],
  );
}

/**
 * Executes one batch of an environment that lives in real time: what is due by the machine, as if it happened now (protocols B2, BIL-59).
 * Answers the number of deadlines looked at; 0 when nothing is due, or when the environment meanwhile has a test clock of its own.
 */
export async function runRealTimeBatch(ctx: Context, limit: number): Promise<number> {
  const batch = await inTransaction(
    ctx,
    async (tx) => {
      if (!isRealTime(tx)) return { looked: 0, remote: [] };
      const now = ctx.wall.now();
      await readyFailed(tx, now);
      const due = await readDue(tx, now, limit);
      if (due.length === 0) return { looked: 0, remote: [] };
      const { executed, remote } = await executeDeadlines(tx, due, now);
      await setAside(tx, executed, (attempts) => new Date(now.getTime() + retryDelayMs(attempts)));
      return { looked: due.length, remote };
    },
    { timeoutMs: 120_000 },
  );
  await settleRemote(ctx, batch.remote);
  return batch.looked;
}
