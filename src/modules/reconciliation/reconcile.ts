import type { Context } from '../../context.ts';
import type { AttemptRow } from '../../domain/attempt.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { minuteMs } from '../../domain/period.ts';
import { findAttempt, readAttempts, readAttemptsAfter } from '../../engine/attempts.ts';
import { collect } from '../../engine/collect.ts';
import { OutsideCallError } from '../../engine/commit.ts';
import type { Window } from '../../gateway/gateway.ts';
import { compare, type Difference, differenceOf } from './compare.ts';
import { type Records, readRecords } from './records.ts';
import { strangers } from './strangers.ts';

/** Which attempts to compare: those after one, oldest first, at most so many. */
export type ReconcileInput = { readonly after?: string | null | undefined; readonly limit?: number | null | undefined };

/** What comparing a stretch of attempts came to. */
export type Reconciliation = {
  readonly checked: number;
  /** How many are still without an answer that counts. */
  readonly open: number;
  readonly isComplete: boolean;
  readonly differences: readonly Difference[];
  /** Where the next stretch begins; null after the last. */
  readonly next: string | null;
};

/** Attempts compared by one call at most, and unless told. */
export const mostAttempts = 100;

/** How far the clock of a gateway may be off. */
const skewMs = 5 * minuteMs;

async function startOf(context: Context, after: string | null): Promise<AttemptRow | null> {
  if (after === null) return null;
  const attempt = await findAttempt(context, after);
  if (attempt === null) throw new QuittanceError('not_found', 'No such attempt.', { param: 'after' });
  return attempt;
}

/** From the attempt before the stretch to its last one; without end where nothing follows. */
function windowOf(start: AttemptRow | null, last: AttemptRow | null): Window {
  const [from, to] = [start?.createdAt, last?.createdAt];
  return {
    from: from === undefined ? null : new Date(from.getTime() - skewMs),
    to: to === undefined ? null : new Date(to.getTime() + skewMs),
  };
}

/** Attempts that were open and have their answer now. */
function answeredSince(before: readonly AttemptRow[], now: readonly AttemptRow[], records: Records): Difference[] {
  const open = new Set(before.filter(({ result }) => result === null).map(({ id }) => id));
  return now.flatMap((attempt) => {
    if (!open.has(attempt.id) || attempt.result === null) return [];
    const changes = { statusHere: 'pending', statusThere: attempt.result.status, isRepaired: true };
    return [differenceOf('status', attempt, records.of(attempt.id), changes)];
  });
}

/**
 * Compares a stretch of attempts with what their gateways have on record, and the other way round what those made in that time with the
 * attempts. Open attempts get their answer as inquiries do (protocols B6), refunds made by hand at the gateway are taken in; everything else
 * that differs is only told. A second call finds nothing more to repair. Throws `not_found` for an unknown start, and OutsideCallError
 * inside a transaction.
 */
export async function reconcile(context: Context, { after = null, limit }: ReconcileInput): Promise<Reconciliation> {
  if (context.transaction !== null) throw new OutsideCallError();
  const size = limit ?? mostAttempts;
  const start = await startOf(context, after);
  const read = await readAttemptsAfter(context, start, size + 1);
  const before = read.slice(0, size);
  const next = read.length > size ? (before.at(-1) ?? null) : null;
  await collect(
    context,
    before.filter(({ result }) => result === null),
    'inquire',
  );
  const attempts = await readAttempts(
    context,
    before.map(({ id }) => id),
  );
  const records = await readRecords(context, attempts, windowOf(start, next));
  const differences = attempts.flatMap((attempt) => {
    const difference = records.isKnown(attempt.id) ? compare(attempt, records.of(attempt.id)) : null;
    return difference === null ? [] : [difference];
  });
  return {
    checked: attempts.length,
    open: attempts.filter(({ result }) => result === null).length,
    isComplete: records.isComplete,
    differences: [...answeredSince(before, attempts, records), ...differences, ...(await strangers(context, records.listed))],
    next: next?.id ?? null,
  };
}
