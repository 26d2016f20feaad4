import type { Context, TransactionContext } from '../context.ts';
import { type Executed, executeDeadlines, setAside } from '../engine/batch.ts';
import { type RunRow, stopClockAt } from '../modules/test-clock/store.ts';
import { eventTopic, takeNumbers } from '../outbox/write.ts';
import { type BulkRow, columnList, insertRows } from '../platform/db/bulk.ts';
import { newId } from '../platform/ids.ts';
import { together } from '../platform/together.ts';
import { inTransaction } from '../transaction.ts';
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

/** Ends the run, on purpose or because it may not go on; then the clock stays at the last executed instant (BIL-57). */
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

/** The items of executed deadlines, one each, except for kinds that are not counted (BIL-55). */
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
    // What is counted is about a subscription; deadlines of the customer itself are not.
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

/** Counts the batch and moves the run and the clock to its instant. */
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
  message: 'The run was canceled; the clock stays at the last executed instant.',
};

const tooMany = (limit: number): RunError => ({
  code: 'too_many_instants',
  message: `The run executed ${limit} instants, the most one run may; the clock stays at the last of them.`,
});

/** Runs what is due for the environment as a whole; like daily notices it is not counted (BIL-53). */
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
  const { executed, attempts } = await executeDeadlines(tx, due, instant);
  await together([
    setAside(tx, executed, () => null),
    writeItems(tx, run.id, executed),
    recordProgress(tx, run, instant, executed),
  ]);
  return { looked: due.length, attempts };
}

/**
 * Executes the next batch of the environment's unfinished clock run, of at most `limit` deadlines, in one transaction that holds the clock
 * row: documents, items, counts, cursor and clock move together, so that a process that dies leaves whole batches behind (BIL-58).
 * Nothing was looked at when there is no run, and when this call ended it. Live fields are hinted at the progress. The run goes on
 * once the attempts have been made.
 */
export async function runClockBatch(ctx: Context, limit: number): Promise<Batch> {
  const batch = await inTransaction(ctx, (tx) => runBatch(tx, limit), {
    clockLock: 'exclusive',
    timeoutMs: 120_000,
  });
  ctx.app.pubsub.hint(eventTopic(ctx.environment.id));
  return batch;
}
