import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { type AttemptPlace, findAttempt, findToCompare } from '../../engine/attempts.ts';
import { OutsideCallError } from '../../engine/commit.ts';
import { compareStretch, mostAttempts, type Reconciliation } from './compare-stretch.ts';

/** Which attempts to compare: those after one, oldest first, up to a limit. */
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
 * Compares a stretch of attempts with what their gateways have on record, and repairs what has one safe answer. Throws `not_found` for an
 * unknown start, and OutsideCallError inside a transaction.
 */
export async function reconcile(
  ctx: Context,
  { after = null, limit }: ReconcileInput,
): Promise<Reconciliation> {
  if (ctx.transaction !== null) throw new OutsideCallError();
  return compareStretch(ctx, await placeOf(ctx, after), limit ?? mostAttempts);
}

/**
 * Does the same for the range that begins with the oldest attempt in doubt: one that stayed without an answer, or was
 * contradicted. What differs is logged; what could not be repaired, for someone to look at. Does nothing when no attempt is in doubt.
 */
export async function reconcileDue(ctx: Context): Promise<void> {
  const place = await findToCompare(ctx, ctx.wall.now());
  if (place === null) return;
  const { differences, checked, open, isComplete } = await compareStretch(ctx, place, mostAttempts);
  for (const difference of differences) {
    if (difference.isRepaired)
      ctx.log.info({ difference }, 'A payment provider had more on record, which was taken in.');
    else
      ctx.log.error(
        { difference },
        'A payment provider has otherwise on record, and someone has to look at it.',
      );
  }
  ctx.log.info(
    { checked, open, isComplete, differences: differences.length },
    'Attempts were compared with payment providers.',
  );
}
