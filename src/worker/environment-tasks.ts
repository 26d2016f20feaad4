// Due environment tasks that belong to no customer: releasing funds on hold, and advancing sandbox payouts. The tasks are derived from
// other rows, because all charges would contend for a stored task's row.

import { readEnvironmentTaskTimes } from '../engine/effects/payout-store.ts';
import { releaseAt, releaseFunds } from '../engine/merchant.ts';
import { stepPayout } from '../modules/payments/payouts/move.ts';
import type { Context, TransactionContext } from '../request/context.ts';

export type EnvironmentTask = {
  readonly dueAt: Date;
  readonly run: (tx: TransactionContext, now: Date) => Promise<void>;
};

/**
 * Reads the first environment task that is due by the given time, with one SQL statement. `null` if no task is due. If
 * a release and a payout are due at the same time, the release comes first.
 */
export async function readEnvironmentTask(ctx: Context, until: Date): Promise<EnvironmentTask | null> {
  const { heldAt, stepAt, payoutId } = await readEnvironmentTaskTimes(ctx.sql);
  const releasedAt = heldAt === null ? null : releaseAt(heldAt);
  const release: EnvironmentTask | null =
    releasedAt === null ? null : { dueAt: releasedAt, run: releaseFunds };
  const step: EnvironmentTask | null =
    stepAt === null || payoutId === null
      ? null
      : { dueAt: stepAt, run: (tx, now) => stepPayout(tx, payoutId, now) };
  const [first] = [release, step]
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
