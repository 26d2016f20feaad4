// What becomes due for an environment as a whole, beside the deadlines of its customers: held funds are released, payouts of a sandbox move on.
// Nobody stores these duties: they follow from the rows they are about, so that no charge has to touch a row all charges share (protocols A5).
import type { Context } from '../context.ts';
import { releaseAt, releaseFunds } from '../engine/merchant.ts';
import { readDutyTimes } from '../infra/payout-rows.ts';
import { stepPayout } from '../modules/payouts/move.ts';

/** Something due for an environment. */
export type Duty = { readonly dueAt: Date; readonly run: (tx: Context, now: Date) => Promise<void> };

/** The first duty of the environment that is due by an instant; null without one. A release comes before a payout of the same instant. One statement. */
export async function readDuty(ctx: Context, until: Date): Promise<Duty | null> {
  const { heldAt, stepAt, payoutId } = await readDutyTimes(ctx.sql);
  const releasedAt = heldAt === null ? null : releaseAt(heldAt);
  const release: Duty | null = releasedAt === null ? null : { dueAt: releasedAt, run: releaseFunds };
  const step: Duty | null =
    stepAt === null || payoutId === null ? null : { dueAt: stepAt, run: (tx, now) => stepPayout(tx, payoutId, now) };
  const [first] = [release, step].filter((duty) => duty !== null).toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
  return first === undefined || first.dueAt > until ? null : first;
}

/** Whether a duty comes before the first of the deadlines that are due: those of the same instant go before it. */
export const comesFirst = (duty: Duty | null, deadline: { readonly dueAt: Date } | undefined): duty is Duty =>
  duty !== null && (deadline === undefined || duty.dueAt < deadline.dueAt);
