import type { Context, TransactionContext } from '../../context.ts';
import { type FieldProblem, validationError } from '../../domain/errors.ts';
import { deadlineRanks } from '../../domain/subscription/state/deadlines.ts';
import { eventTopic } from '../../outbox/write.ts';
import { type BulkRow, insertRows } from '../../platform/db/bulk.ts';
import { newId } from '../../platform/ids.ts';
import { wakeEnvironment, workTopic } from '../../platform/queue/lease.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import {
  countDeadlines,
  isOver,
  type RunRow,
  readLatestRun,
  readyFailedDeadlines,
  stopClockAt,
} from './store.ts';

/** How far to move the clock: exactly one of the two (BIL-51). */
export type AdvanceInput = {
  /** Days of 86 400 000 ms, fractions allowed; above 0 and at most 9 007 199 254 740 991. */
  readonly advanceDays?: number | null | undefined;
  readonly frozenTime?: Date | null | undefined;
};

const dayMs = 86_400_000;
const maxAdvanceDays = Number.MAX_SAFE_INTEGER;
const latestTargetMs = Date.parse('9999-12-31T23:59:59.999Z');

const reject = (field: string, message: string): Error =>
  validationError([{ field, message } satisfies FieldProblem]);

/** An instant the clock can be moved to. Throws `validation_error` about the field it was given in. */
export function laterInstant(field: string, instant: Date, now: Date): Date {
  if (instant <= now) throw reject(field, `${field} must be later than the current time of the clock.`);
  if (instant.getTime() > latestTargetMs)
    throw reject(field, 'The target must not be later than 9999-12-31T23:59:59.999Z.');
  return instant;
}

/** The instant to move to, fractions of days rounded to the millisecond. Throws `validation_error`. */
export function targetOf({ advanceDays = null, frozenTime = null }: AdvanceInput, now: Date): Date {
  if (advanceDays !== null && frozenTime !== null)
    throw reject('frozenTime', 'Give either advanceDays or frozenTime, not both.');
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
  if (frozenTime === null) throw reject('advanceDays', 'Give advanceDays or frozenTime.');
  return laterInstant('frozenTime', frozenTime, now);
}

async function begin(tx: TransactionContext, input: AdvanceInput): Promise<RunRow> {
  const { transaction } = tx;
  const latest = await readLatestRun(tx.sql);
  if (latest !== null && !isOver(latest))
    throw reject('advanceDays', 'The clock is still being moved by an unfinished run.');
  const now = tx.clock.now();
  const targetTime = targetOf(input, now);
  await stopClockAt(tx.sql, now);
  // Deadlines set aside by an earlier run are tried again.
  await readyFailedDeadlines(tx.sql);
  const run: BulkRow<'TestClockRun'> & RunRow = {
    id: newId('tcr'),
    seq: await nextSeq(tx),
    status: 'pending',
    startedAtTime: now,
    targetTime,
    cursorTime: now,
    // Deadlines known now; those the run creates itself are not among them, nor are the daily notices (BIL-54).
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
 * Begins a durable run that moves the sandbox's clock; the worker does the moving. From now on the clock stands still between runs
 * (BIL-50). Throws `validation_error` for an unacceptable target and while another run is unfinished (BIL-51, BIL-52).
 */
export const advanceClock = (ctx: Context, input: AdvanceInput): Promise<RunRow> =>
  // The clock row under an exclusive lock makes rivals wait here, so that the later one finds the unfinished run.
  inTransaction(ctx, (tx) => begin(tx, input), { clockLock: 'exclusive' });
