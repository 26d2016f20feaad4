import type { Context } from '../../context.ts';
import type { AttemptRow } from '../../domain/attempt.ts';
import { minuteMs } from '../../domain/period.ts';
import { type AttemptPlace, noteCompared, readAttempts, readAttemptsAfter } from '../../engine/attempts.ts';
import { collect, takeKnown } from '../../engine/collect.ts';
import type { Recorded, Window } from '../../providers/provider.ts';
import { inTransaction } from '../../transaction.ts';
import { compare, type Difference, differenceOf } from './compare.ts';
import { unknownRecords } from './find-unknown-records.ts';
import { type Records, readLists, readRecords } from './read-records.ts';

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

/** Attempts compared at a time at most. */
export const mostAttempts = 500;

/** How far the clock of a gateway may be off. */
const skewMs = 5 * minuteMs;

/** From the place before the stretch to its last attempt; without end where nothing follows. */
function windowOf(start: AttemptPlace | null, last: AttemptPlace | null): Window {
  const [from, to] = [start?.createdAt, last?.createdAt];
  return {
    from: from === undefined ? null : new Date(from.getTime() - skewMs),
    to: to === undefined ? null : new Date(to.getTime() + skewMs),
  };
}

const isOpen = ({ result }: AttemptRow): boolean => result === null;

/** Gives open attempts their answers: those on a list together, in a handful of statements, the others as inquiries do. */
async function answer(ctx: Context, open: readonly AttemptRow[], listed: readonly Recorded[]): Promise<void> {
  const results = new Map(listed.map(({ attempt, result }) => [attempt, result]));
  const known = open.flatMap((attempt) => {
    const result = results.get(attempt.id);
    return result === undefined || result.status === 'unknown' ? [] : [{ attempt, result }];
  });
  await takeKnown(ctx, known);
  await collect(
    ctx,
    open.filter(({ id }) => !results.has(id)),
    'inquire',
  );
}

/** Attempts that were open and have their answer now. */
function answeredSince(
  before: readonly AttemptRow[],
  now: readonly AttemptRow[],
  records: Records,
): Difference[] {
  const open = new Set(before.filter(isOpen).map(({ id }) => id));
  return now.flatMap((attempt) => {
    if (!open.has(attempt.id) || attempt.result === null) return [];
    const changes = { statusHere: 'pending', statusThere: attempt.result.status, isRepaired: true };
    return [differenceOf('status', attempt, records.of(attempt.id), changes)];
  });
}

/**
 * Compares attempts made after a place, up to a limit, with what their gateways have on record, and the other way round what those made in
 * that time with the attempts. Open attempts get their answer, refunds made at the provider are recorded; everything else that differs
 * is only reported. A second call finds nothing more to repair. Providers are called outside a transaction.
 */
export async function compareStretch(
  ctx: Context,
  start: AttemptPlace | null,
  size: number,
): Promise<Reconciliation> {
  const read = await readAttemptsAfter(ctx, start, size + 1);
  const before = read.slice(0, size);
  const next = read.length > size ? (before.at(-1) ?? null) : null;
  const ids = before.map(({ id }) => id);
  const { records: listed, failures } = await readLists(ctx, windowOf(start, next));
  await answer(ctx, before.filter(isOpen), listed);
  const attempts = await readAttempts(ctx, ids);
  const records = await readRecords(ctx, attempts, listed);
  const differences = attempts.flatMap((attempt) => {
    const difference = records.isKnown(attempt.id) ? compare(attempt, records.of(attempt.id)) : null;
    return difference === null ? [] : [difference];
  });
  const all = [
    ...answeredSince(before, attempts, records),
    ...differences,
    ...(await unknownRecords(ctx, listed)),
  ];
  const doubtful = attempts.filter(({ compareAt }) => compareAt !== null).map(({ id }) => id);
  if (doubtful.length > 0) await inTransaction(ctx, (tx) => noteCompared(tx, doubtful, records.isRequested));
  return {
    checked: attempts.length,
    open: attempts.filter(isOpen).length,
    isComplete: failures.length === 0 && attempts.every(({ id }) => records.isKnown(id)),
    differences: all,
    next: next?.id ?? null,
  };
}
