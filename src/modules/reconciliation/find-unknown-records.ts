import type { Context } from '../../context.ts';
import { readAttempts } from '../../engine/attempts.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { Recorded } from '../../providers/provider.ts';
import { findRefunds } from '../transactions/store.ts';
import { type Difference, unknownHere } from './compare.ts';
import { isManual, type ManualRefund, refundIdOf, takeIn } from './take-in.ts';

/** Records a refund made at the provider; one that cannot be recorded stays as it is. */
async function taken(ctx: Context, refund: ManualRefund): Promise<boolean> {
  try {
    return ['known', 'taken'].includes(await takeIn(ctx, refund));
  } catch (error) {
    ctx.log.warn({ err: error, refund: refund.reference }, 'A refund made manually could not be taken in.');
    return false;
  }
}

/** What to report about a refund made at the provider, `known` being what we have of it; null for nothing. */
async function manualDifference(
  ctx: Context,
  refund: ManualRefund,
  known: Row<'Refund'> | undefined,
): Promise<Difference | null> {
  const isSettled = refund.result.status === 'settled';
  if (known === undefined) return isSettled ? unknownHere(refund, await taken(ctx, refund)) : null;
  if (isSettled) return null;
  // The bank did not accept the money after all.
  return {
    ...unknownHere(refund, false),
    kind: 'status',
    attemptId: known.id,
    statusHere: 'settled',
    amountHere: known.amountMinor,
  };
}

/**
 * What gateways list and we know nothing of: payments in our name, and settled refunds of payments of ours, which are taken in; and refunds
 * taken in before that came to nothing. Two statements tell what is known, whatever the length of the list.
 */
export async function unknownRecords(ctx: Context, listed: readonly Recorded[]): Promise<Difference[]> {
  const named = listed.flatMap(({ attempt, refundOf }) => [attempt, refundOf].filter((id) => id !== null));
  const attempts = new Set((await readAttempts(ctx, [...new Set(named)])).map(({ id }) => id));
  const manual = listed.filter(isManual).map(refundIdOf);
  const known = new Map((await findRefunds(ctx, manual)).map((refund) => [refund.id, refund]));
  const differences: (Difference | null)[] = [];
  for (const record of listed) {
    if (isManual(record))
      differences.push(await manualDifference(ctx, record, known.get(refundIdOf(record))));
    else if (record.attempt !== null && record.result.status === 'settled' && !attempts.has(record.attempt))
      differences.push(unknownHere(record, false));
  }
  return differences.filter((difference) => difference !== null);
}
