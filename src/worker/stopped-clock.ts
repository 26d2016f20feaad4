import { executeDeadlines, setAside } from '../engine/batch.ts';
import type { Context } from '../request/context.ts';
import { inTransaction } from '../request/transaction.ts';
import { type Batch, nothingDue } from './batch.ts';
import { readDueTopUps } from './due-work.ts';

/** Evaluates the automatic top-ups that usage triggers between clock runs. Returns an empty batch if nothing is pending. */
export const runStoppedClockBatch = (ctx: Context, limit: number): Promise<Batch> =>
  inTransaction(
    ctx,
    async (tx) => {
      const due = tx.environment.simulatedTime === null ? [] : await readDueTopUps(tx, limit);
      if (due.length === 0) return nothingDue;
      const { executed, attempts } = await executeDeadlines(tx, due, tx.clock.now());
      await setAside(tx, executed, () => null);
      return { looked: due.length, attempts };
    },
    { timeoutMs: 120_000 },
  );
