import { specificError } from '../../../domain/errors/errors.ts';
import { type AttemptPlace, findAttempt, findDueReconciliation } from '../../../engine/attempts.ts';
import { OutsideCallError } from '../../../engine/commit.ts';
import type { Context } from '../../../request/context.ts';
import { compareStretch, maxAttempts, type Reconciliation } from './compare-stretch.ts';

/** Range of attempts to compare: up to `limit` attempts after `after`, oldest first. */
export type ReconcileInput = {
  readonly after?: string | null | undefined;
  readonly limit?: number | null | undefined;
};

async function placeOf(ctx: Context, after: string | null): Promise<AttemptPlace | null> {
  if (after === null) return null;
  const attempt = await findAttempt(ctx, after);
  if (attempt === null) throw specificError('not_found', 'attempt', { param: 'after' });
  return attempt;
}

/**
 * Compares a range of attempts with their payment providers' records, and repairs differences that have a single safe resolution. Throws
 * `not_found` if no attempt has the ID in `after`, and `OutsideCallError` if a transaction is open.
 */
export async function reconcile(
  ctx: Context,
  { after = null, limit }: ReconcileInput,
): Promise<Reconciliation> {
  if (ctx.transaction !== null) throw new OutsideCallError();
  return compareStretch(ctx, await placeOf(ctx, after), limit ?? maxAttempts);
}

/**
 * Reconciles a range that starts at the oldest attempt without a response or with contradicting responses. Logs differences, as errors if
 * they require manual review. Does nothing if all attempts are resolved.
 */
export async function reconcileDue(ctx: Context): Promise<void> {
  const place = await findDueReconciliation(ctx, ctx.wall.now());
  if (place === null) return;
  const { differences, checked, open, isComplete } = await compareStretch(ctx, place, maxAttempts);
  for (const difference of differences) {
    if (difference.isRepaired)
      ctx.log.info({ difference }, 'Recorded a payment or refund that was missing here.');
    else
      ctx.log.error({ difference }, "A payment provider's record differs. Review the difference manually.");
  }
  ctx.log.info(
    { checked, open, isComplete, differences: differences.length },
    'Reconciled attempts with payment providers.',
  );
}
