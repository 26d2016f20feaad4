import { specificRejection } from '../domain/errors/errors.ts';
import { type Executed, executeDeadlines, setAside } from '../engine/batch.ts';
import { hasRowQuota } from '../engine/quotas.ts';
import { type RunRow, stopClockAt } from '../modules/sandbox/test-clock/store.ts';
import { eventTopic, takeNumbers } from '../outbox/write.ts';
import { type BulkRow, columnList, insertRows } from '../platform/db/bulk.ts';
import { newId } from '../platform/ids.ts';
import { together } from '../platform/together.ts';
import type { Context, TransactionContext } from '../request/context.ts';
import { inTransaction } from '../request/transaction.ts';
import { type Batch, nothingDue } from './batch.ts';
import { deadlineItems } from './deadlines.ts';
import { readDue } from './due-work.ts';
import { comesFirst, type EnvironmentTask, readEnvironmentTask } from './environment-tasks.ts';

type RunError = Stored.ClockRunError;

const lockRun = async (tx: Context): Promise<RunRow | null> => {
  const [run] = await tx.sql<RunRow>(
    `SELECT ${columnList('TestClockRun', 't')} FROM "TestClockRun" t
     WHERE t."environmentId" = $1 AND t.status IN ('pending', 'running') FOR UPDATE`,
  );
  return run ?? null;
};

/**
 * Ends a run that has reached its target or can't continue. The clock moves to the target time or, after an error,
 * stays at the time of the last processed deadline (BIL-57).
 */
async function finish(tx: Context, run: RunRow, error: RunError | null): Promise<void> {
  if (error === null) await stopClockAt(tx.sql, run.targetTime);
  await tx.sql(
    `UPDATE "TestClockRun" SET status = $3::"TestClockRunStatus", error = $4::jsonb, "finishedAt" = $5 WHERE "environmentId" = $1 AND id = $2`,
    [
      run.id,
      error === null ? 'completed' : 'failed',
      error === null ? null : JSON.stringify(error),
      tx.wall.now(),
    ],
  );
}

/** Stores a run item for each processed deadline, unless clock runs don't show deadlines of its type (BIL-55). */
async function writeItems(
  tx: TransactionContext,
  runId: string,
  executed: readonly Executed[],
): Promise<void> {
  const { transaction } = tx;
  const shown = executed.flatMap((one) => {
    const { kind, subscriptionId } = one.deadline;
    const shownAs = deadlineItems[kind];
    const isOver = one.status === 'completed' || one.status === 'failed';
    // Skips deadlines without a subscription, because clock runs show only the deadlines of subscriptions.
    return isOver && shownAs !== null && subscriptionId !== null ? [{ ...one, shownAs, subscriptionId }] : [];
  });
  if (shown.length === 0) return;
  const { seq } = await takeNumbers(transaction.query, tx.environment.id, { seq: shown.length });
  const wallMs = tx.wall.now().getTime();
  const rows = shown.map(
    (
      { deadline, shownAs, subscriptionId, customerName, status, item, error },
      index,
    ): BulkRow<'TestClockRunItem'> => ({
      id: newId('tcri', wallMs),
      seq: seq + BigInt(index),
      runId,
      kind: shownAs,
      status: status === 'failed' ? 'failed' : 'completed',
      dueAt: deadline.dueAt,
      subscriptionId,
      customerName: customerName === '' ? null : customerName,
      invoiceId: item?.invoiceId ?? null,
      outcome: item?.outcome ?? null,
      detail: item?.detail ?? null,
      error,
    }),
  );
  await insertRows(tx.sql, 'TestClockRunItem', rows);
}

/** Adds a batch's results to the run's counts, and advances the run and the clock to the batch's time. */
async function recordProgress(
  tx: Context,
  run: RunRow,
  instant: Date,
  executed: readonly Executed[],
): Promise<void> {
  const counted = executed.filter(({ deadline }) => deadlineItems[deadline.kind] !== null);
  const isNewInstant = run.executedInstantCount === 0 || instant.getTime() > run.cursorTime.getTime();
  const counting = tx.sql(
    `UPDATE "TestClockRun" SET status = 'running', "cursorTime" = $3, "executedInstantCount" = "executedInstantCount" + $4,
       "completedDeadlineCount" = "completedDeadlineCount" + $5, "failedDeadlineCount" = "failedDeadlineCount" + $6
     WHERE "environmentId" = $1 AND id = $2`,
    [
      run.id,
      instant,
      isNewInstant ? 1 : 0,
      counted.filter(({ status }) => status === 'completed').length,
      counted.filter(({ status }) => status === 'failed').length,
    ],
  );
  await together([counting, stopClockAt(tx.sql, instant)]);
}

const canceled: RunError = {
  code: 'canceled',
  message: 'The run was canceled. The test clock remains at the last instant that the run processed.',
};

const quotaReached = (most: number): RunError => {
  const { code, message } = specificRejection('quota_exceeded', 'rows', { values: { most } });
  return { code, message };
};

const tooMany = (limit: number): RunError => ({
  code: 'too_many_instants',
  message: `The run reached the limit of ${limit} instants. The test clock remains at the last instant that the run processed.`,
});

/** Executes a due environment task. Clock runs don't show environment tasks (BIL-53). */
async function runEnvironmentTask(
  tx: TransactionContext,
  run: RunRow,
  { dueAt, run: work }: EnvironmentTask,
): Promise<void> {
  const instant = new Date(Math.max(dueAt.getTime(), run.cursorTime.getTime()));
  await work(tx, instant);
  await tx.sql(
    `UPDATE "TestClockRun" SET status = 'running', "cursorTime" = $3 WHERE "environmentId" = $1 AND id = $2`,
    [run.id, instant],
  );
  await stopClockAt(tx.sql, instant);
}

async function runBatch(tx: TransactionContext, limit: number): Promise<Batch> {
  const run = await lockRun(tx);
  if (run === null) return nothingDue;
  if (run.isCancelRequested) {
    await finish(tx, run, canceled);
    return nothingDue;
  }
  const [due, environmentTask] = await together([
    readDue(tx, run.targetTime, limit),
    readEnvironmentTask(tx, run.targetTime),
  ]);
  const [first] = due;
  if (comesFirst(environmentTask, first)) {
    await runEnvironmentTask(tx, run, environmentTask);
    return { looked: 1, attempts: [] };
  }
  if (first === undefined) {
    await finish(tx, run, null);
    return nothingDue;
  }
  const instant = new Date(Math.max(first.dueAt.getTime(), run.cursorTime.getTime()));
  const { clockRunMaxInstants } = tx.app.config;
  if (run.executedInstantCount >= clockRunMaxInstants && instant > run.cursorTime) {
    await finish(tx, run, tooMany(clockRunMaxInstants));
    return nothingDue;
  }
  if (!(await hasRowQuota(tx))) {
    await finish(tx, run, quotaReached(tx.app.config.sandboxRows));
    return nothingDue;
  }
  const { executed, attempts } = await executeDeadlines(tx, due, instant);
  await together([
    setAside(tx, executed, () => null),
    writeItems(tx, run.id, executed),
    recordProgress(tx, run, instant, executed),
  ]);
  return { looked: due.length, attempts };
}

/**
 * Executes the next batch of a clock run, at most `limit` deadlines, in one transaction that locks the clock. The
 * changed data, run items, counts, the run's position, and the clock are written together, so a crash leaves only
 * complete batches (BIL-58). Returns an empty batch if there is no run, or if this call ended the run. Notifies GraphQL
 * subscriptions of the progress. The run continues after the batch's provider calls.
 */
export async function runClockBatch(ctx: Context, limit: number): Promise<Batch> {
  const batch = await inTransaction(ctx, (tx) => runBatch(tx, limit), {
    clockLock: 'exclusive',
    timeoutMs: 120_000,
  });
  ctx.app.pubsub.hint(eventTopic(ctx.environment.id));
  return batch;
}
