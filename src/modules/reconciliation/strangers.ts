import type { Context } from '../../context.ts';
import { readAttempts } from '../../engine/attempts.ts';
import type { Recorded } from '../../gateway/gateway.ts';
import type { Row } from '../../infra/rows.ts';
import { isByHand, type ReturnedByHand, refundIdOf, takeIn } from './by-hand.ts';
import { type Difference, unknownHere } from './compare.ts';

/** Takes in a refund made by hand; one that cannot be stays as it is. */
async function taken(context: Context, refund: ReturnedByHand): Promise<boolean> {
  try {
    return ['known', 'taken'].includes(await takeIn(context, refund));
  } catch (error) {
    context.log.warn({ err: error, refund: refund.reference }, 'A refund made by hand could not be taken in.');
    return false;
  }
}

/** What is to be told of a refund made by hand, `known` being what we have of it; null for nothing. */
async function byHand(context: Context, refund: ReturnedByHand, known: Row<'Refund'> | undefined): Promise<Difference | null> {
  const isSettled = refund.result.status === 'settled';
  if (known === undefined) return isSettled ? unknownHere(refund, await taken(context, refund)) : null;
  if (isSettled) return null;
  // The bank did not accept the money after all.
  return { ...unknownHere(refund, false), kind: 'status', attemptId: known.id, statusHere: 'settled', amountHere: known.amountMinor };
}

/**
 * What gateways list and we know nothing of: payments in our name, and settled refunds of payments of ours, which are taken in; and refunds
 * taken in before that came to nothing. Two statements tell what is known, whatever the length of the list.
 */
export async function strangers(context: Context, listed: readonly Recorded[]): Promise<Difference[]> {
  const named = listed.flatMap(({ attempt, refundOf }) => [attempt, refundOf].filter((id) => id !== null));
  const attempts = new Set((await readAttempts(context, [...new Set(named)])).map(({ id }) => id));
  const manual = listed.filter(isByHand).map(refundIdOf);
  const known = new Map((await context.db.refund.findMany({ where: { id: { in: manual } } })).map((refund) => [refund.id, refund]));
  const differences: (Difference | null)[] = [];
  for (const record of listed) {
    if (isByHand(record)) differences.push(await byHand(context, record, known.get(refundIdOf(record))));
    else if (record.attempt !== null && record.result.status === 'settled' && !attempts.has(record.attempt))
      differences.push(unknownHere(record, false));
  }
  return differences.filter((difference) => difference !== null);
}
