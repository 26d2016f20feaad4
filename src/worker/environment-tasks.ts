// Due environment tasks: releasing funds on hold, advancing sandbox payouts, and expiring holds on usage. The tasks are derived from
// other rows, because all charges would contend for a stored task's row.

import { readEnvironmentTaskTimes } from '../engine/effects/payout-store.ts';
import { releaseAt, releaseFunds } from '../engine/merchant.ts';
import { expireHolds } from '../engine/usage/expire-holds.ts';
import { stepPayout } from '../modules/payments/payouts/move.ts';
import type { Context, TransactionContext } from '../request/context.ts';

export type EnvironmentTask = {
  readonly dueAt: Date;
  readonly run: (tx: TransactionContext, now: Date) => Promise<void>;
};

/**
 * Reads the first environment task that is due by the given time, with one SQL statement. `null` if no task is due. If
 * several tasks are due at the same time, releases come first, then payouts, then holds.
 */
export async function readEnvironmentTask(ctx: Context, until: Date): Promise<EnvironmentTask | null> {
  const { heldAt, stepAt, payoutId, expiryAt } = await readEnvironmentTaskTimes(ctx.sql);
  const releasedAt = heldAt === null ? null : releaseAt(heldAt);
  const release: EnvironmentTask | null =
    releasedAt === null ? null : { dueAt: releasedAt, run: releaseFunds };
  const step: EnvironmentTask | null =
    stepAt === null || payoutId === null
      ? null
      : { dueAt: stepAt, run: (tx, now) => stepPayout(tx, payoutId, now) };
  const expiry: EnvironmentTask | null = expiryAt === null ? null : { dueAt: expiryAt, run: expireHolds };
  const [first] = [release, step, expiry]
    .filter((environmentTask) => environmentTask !== null)
    .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
  return first === undefined || first.dueAt > until ? null : first;
}

/** True if an environment task is due before the first due deadline. A deadline with the same due time comes first. */
export const comesFirst = (
  environmentTask: EnvironmentTask | null,
  deadline: { readonly dueAt: Date } | undefined,
): environmentTask is EnvironmentTask =>
  environmentTask !== null && (deadline === undefined || environmentTask.dueAt < deadline.dueAt);
