import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { type AttemptPlace, findAttempt, findToCompare } from '../../engine/attempts.ts';
import { OutsideCallError } from '../../engine/commit.ts';
import { compareStretch, mostAttempts, type Reconciliation } from './stretch.ts';

/** Which attempts to compare: those after one, oldest first, at most so many. */
export type ReconcileInput = { readonly after?: string | null | undefined; readonly limit?: number | null | undefined };

async function placeOf(context: Context, after: string | null): Promise<AttemptPlace | null> {
  if (after === null) return null;
  const attempt = await findAttempt(context, after);
  if (attempt === null) throw new QuittanceError('not_found', 'No such attempt.', { param: 'after' });
  return attempt;
}

/**
 * Compares a stretch of attempts with what their gateways have on record, and repairs what has one safe answer. Throws `not_found` for an
 * unknown start, and OutsideCallError inside a transaction.
 */
export async function reconcile(context: Context, { after = null, limit }: ReconcileInput): Promise<Reconciliation> {
  if (context.transaction !== null) throw new OutsideCallError();
  return compareStretch(context, await placeOf(context, after), limit ?? mostAttempts);
}

/**
 * Does the same by itself for the stretch that begins with the oldest attempt in doubt: one that stayed without an answer, or was
 * contradicted. What differs is logged; what could not be repaired, for somebody to look at. Does nothing when no attempt is in doubt.
 */
export async function reconcileDue(context: Context): Promise<void> {
  const place = await findToCompare(context, context.wall.now());
  if (place === null) return;
  const { differences, checked, open, isComplete } = await compareStretch(context, place, mostAttempts);
  for (const difference of differences) {
    if (difference.isRepaired) context.log.info({ difference }, 'A payment provider had more on record, which was taken in.');
    else context.log.error({ difference }, 'A payment provider has otherwise on record, and somebody has to look at it.');
  }
  context.log.info({ checked, open, isComplete, differences: differences.length }, 'Attempts were compared with payment providers.');
}
