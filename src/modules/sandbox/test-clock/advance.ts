import { type FieldProblem, validationError } from '../../../domain/errors/errors.ts';
import { deadlineRanks } from '../../../domain/subscription/state/deadlines.ts';
import { dayMs } from '../../../domain/time/period.ts';
import { requireClockQuota, requireRowQuota } from '../../../engine/quotas.ts';
import { eventTopic } from '../../../outbox/write.ts';
import { type BulkRow, insertRows } from '../../../platform/db/bulk.ts';
import { newId } from '../../../platform/ids.ts';
import { wakeEnvironment, workTopic } from '../../../platform/queue/lease.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import {
  countDeadlines,
  isOver,
  type RunRow,
  readLatestRun,
  readyFailedDeadlines,
  stopClockAt,
} from './store.ts';

/** Target of a test clock advance. Requires either a duration or a time (BIL-51). */
export type AdvanceInput = {
  /** Duration in days of 86,400,000 ms. Can be fractional. Greater than 0, up to 9,007,199,254,740,991. */
  readonly advanceDays?: number | null | undefined;
  readonly frozenTime?: Date | null | undefined;
};

const maxAdvanceDays = Number.MAX_SAFE_INTEGER;
const latestTargetMs = Date.parse('9999-12-31T23:59:59.999Z');

const reject = (field: string, message: string): Error =>
  validationError([{ field, message } satisfies FieldProblem]);

/** Returns the target time if it's valid. Otherwise throws `validation_error` on `field`. */
export function laterInstant(field: string, instant: Date, now: Date): Date {
  if (instant <= now) throw reject(field, `${field} must be later than the current time of the clock.`);
  if (instant.getTime() > latestTargetMs)
    throw reject(field, 'The target must not be later than 9999-12-31T23:59:59.999Z.');
  return instant;
}

/**
 * Returns the target time of an advance. Rounds fractions of days to the millisecond. Throws `validation_error` if the input is invalid.
 */
function targetOf({ advanceDays = null, frozenTime = null }: AdvanceInput, now: Date): Date {
  if (advanceDays !== null && frozenTime !== null)
    throw reject('frozenTime', 'Send either advanceDays or frozenTime, not both.');
  if (advanceDays !== null) {
    if (!(advanceDays > 0 && advanceDays <= maxAdvanceDays)) {
      throw reject('advanceDays', `advanceDays must be greater than 0 and at most ${maxAdvanceDays}.`);
    }
    const targetMs = now.getTime() + Math.round(advanceDays * dayMs);
    if (targetMs > latestTargetMs)
      throw reject('advanceDays', 'The target must not be later than 9999-12-31T23:59:59.999Z.');
    if (targetMs <= now.getTime())
      throw reject('advanceDays', 'The target must be later than the current time of the clock.');
    return new Date(targetMs);
  }
  if (frozenTime === null) throw reject('advanceDays', 'advanceDays or frozenTime is required.');
  return laterInstant('frozenTime', frozenTime, now);
}

async function begin(tx: TransactionContext, input: AdvanceInput): Promise<RunRow> {
  const { transaction } = tx;
  const latest = await readLatestRun(tx.sql);
  if (latest !== null && !isOver(latest))
    throw reject(
      'advanceDays',
      'The test clock is still advancing. Wait until the current run has finished.',
    );
  const now = tx.clock.now();
  const targetTime = targetOf(input, now);
  await requireClockQuota(tx, targetTime);
  await stopClockAt(tx.sql, now);
  // The run also retries the deadlines that failed in an earlier run.
  await readyFailedDeadlines(tx.sql);
  const run: BulkRow<'TestClockRun'> & RunRow = {
    id: newId('tcr'),
    seq: await nextSeq(tx),
    status: 'pending',
    startedAtTime: now,
    targetTime,
    cursorTime: now,
    // Excludes daily notices, and the deadlines that the run itself creates (BIL-54).
    estimatedDeadlineCount: await countDeadlines(tx.sql, targetTime, deadlineRanks.daily_scan - 1),
    completedDeadlineCount: 0,
    failedDeadlineCount: 0,
    executedInstantCount: 0,
    isCancelRequested: false,
    error: null,
    createdAt: tx.wall.now(),
    finishedAt: null,
  };
  await insertRows(tx.sql, 'TestClockRun', [run]);
  const { environment, app } = tx;
  await wakeEnvironment(transaction.query, environment.id, tx.wall.now());
  transaction.afterCommit(() => {
    app.pubsub.hint(workTopic(environment.id));
    app.pubsub.hint(eventTopic(environment.id));
  });
  return run;
}

/**
 * Starts a durable run that advances the sandbox's test clock. A worker executes the run. After the first run, the clock doesn't move
 * between runs (BIL-50). Throws `validation_error` if the target is invalid or another run is unfinished (BIL-51, BIL-52).
 */
export const advanceClock = async (ctx: Context, input: AdvanceInput): Promise<RunRow> => {
  await requireRowQuota(ctx);
  // The exclusive lock on the clock row serializes concurrent requests, so that the later request finds the unfinished run.
  return inTransaction(ctx, (tx) => begin(tx, input), { clockLock: 'exclusive' });
};
