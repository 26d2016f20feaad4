// What becomes due for an environment as a whole, beside the deadlines of its customers: held funds are released, payouts of a sandbox move on.
// These tasks are not stored: they follow from the rows they are about, so that no charge has to touch a row all charges share.
import type { Context, TransactionContext } from '../context.ts';
import { releaseAt, releaseFunds } from '../engine/merchant.ts';
import { readEnvironmentTaskTimes } from '../engine/payout-store.ts';
import { stepPayout } from '../modules/payouts/move.ts';

/** Something due for an environment. */
export type EnvironmentTask = {
  readonly dueAt: Date;
  readonly run: (tx: TransactionContext, now: Date) => Promise<void>;
};

/** The first task of the environment that is due by an instant; null without one. A release comes before a payout of the same instant. One statement. */
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

/** Whether a task comes before the first of the deadlines that are due: those of the same instant go before it. */
export const comesFirst = (
  environmentTask: EnvironmentTask | null,
  deadline: { readonly dueAt: Date } | undefined,
): environmentTask is EnvironmentTask =>
  environmentTask !== null && (deadline === undefined || environmentTask.dueAt < deadline.dueAt);
