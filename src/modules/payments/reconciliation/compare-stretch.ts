import type { AttemptRow } from '../../../domain/subscription/payments/charge-attempt.ts';
import { minuteMs } from '../../../domain/time/period.ts';
import {
  type AttemptPlace,
  readAttempts,
  readAttemptsAfter,
  recordReconciled,
} from '../../../engine/attempts.ts';
import { applyKnownResults, collect } from '../../../engine/collect.ts';
import type { Recorded, Window } from '../../../providers/provider.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { compare, type Difference, differenceOf } from './compare.ts';
import { unknownRecords } from './find-unknown-records.ts';
import { type Records, readLists, readRecords } from './read-records.ts';

/** Result of comparing a range of attempts with provider records. */
export type Reconciliation = {
  readonly checked: number;
  /** Number of compared attempts without an accepted provider response. */
  readonly open: number;
  readonly isComplete: boolean;
  readonly differences: readonly Difference[];
  /** ID of the last attempt in the range. Pass it as `after` to compare the next range. `null` after the last range. */
  readonly next: string | null;
};

/** Maximum number of attempts per comparison. */
export const maxAttempts = 500;

/** Clock skew between Quittance and a payment provider that the comparison tolerates. */
const skewMs = 5 * minuteMs;

/** Returns the time window for a range of attempts. The window has no end if no attempts follow the range. */
function windowOf(start: AttemptPlace | null, last: AttemptPlace | null): Window {
  const [from, to] = [start?.createdAt, last?.createdAt];
  return {
    from: from === undefined ? null : new Date(from.getTime() - skewMs),
    to: to === undefined ? null : new Date(to.getTime() + skewMs),
  };
}

const isOpen = ({ result }: AttemptRow): boolean => result === null;

/**
 * Resolves open attempts. Attempts that a provider listed are resolved together with a few SQL statements. Other
 * attempts are looked up at their providers individually.
 */
async function answer(ctx: Context, open: readonly AttemptRow[], listed: readonly Recorded[]): Promise<void> {
  const results = new Map(listed.map(({ attempt, result }) => [attempt, result]));
  const known = open.flatMap((attempt) => {
    const result = results.get(attempt.id);
    return result === undefined || result.status === 'unknown' ? [] : [{ attempt, result }];
  });
  await applyKnownResults(ctx, known);
  await collect(
    ctx,
    open.filter(({ id }) => !results.has(id)),
    'inquire',
  );
}

/** Returns a difference for each attempt that was open and is now resolved. */
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
 * Compares a range of attempts with their payment providers' records, and the providers' records from the same time window with the
 * attempts. Resolves open attempts and records refunds that were made at the provider. Other differences are only reported. Safe to repeat:
 * no repair is applied twice. Providers are called outside a transaction.
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
  if (doubtful.length > 0)
    await inTransaction(ctx, (tx) => recordReconciled(tx, doubtful, records.isRequested));
  return {
    checked: attempts.length,
    open: attempts.filter(isOpen).length,
    isComplete: failures.length === 0 && attempts.every(({ id }) => records.isKnown(id)),
    differences: all,
    next: next?.id ?? null,
  };
}
