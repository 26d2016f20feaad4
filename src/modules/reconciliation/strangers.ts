import type { Context } from '../../context.ts';
import { readAttempts } from '../../engine/attempts.ts';
import { execute } from '../../engine/execute.ts';
import type { Recorded } from '../../gateway/gateway.ts';
import { type Difference, unknownHere } from './compare.ts';

/** The id of a refund that was made by hand at a gateway; it is the same however often it is found. */
const refundIdOf = ({ reference }: Recorded): string => `ref_${reference}`;

/**
 * Takes in a settled refund that was made by hand: the money is on its way back already, so that the gateway is not asked (PAY-26 … PAY-30).
 * Answers whether it could be; what a disputed, returned or charging transaction refuses stays as it is.
 */
async function takeIn(context: Context, customerId: string, refund: Recorded, transactionId: string): Promise<boolean> {
  const [done] = await execute(context, [
    {
      customerId,
      order: { kind: 'transaction.refund', transactionId, refundId: refundIdOf(refund), amountMinor: refund.amountMinor, reason: null },
      known: refund.result,
    },
  ]).catch((error: unknown) => {
    context.log.warn({ err: error, refund: refund.reference }, 'A refund made by hand could not be taken in.');
    return [];
  });
  return done?.outcome.kind === 'ok';
}

/**
 * What gateways list and we know nothing of: payments in our name, and settled refunds of payments of ours, which are taken in. Two statements
 * tell what is known, whatever the length of the list.
 */
export async function strangers(context: Context, listed: readonly Recorded[]): Promise<Difference[]> {
  const named = listed.flatMap(({ attempt, refundOf }) => [attempt, refundOf].filter((id) => id !== null));
  const attempts = new Map((await readAttempts(context, [...new Set(named)])).map((attempt) => [attempt.id, attempt]));
  const manual = listed.filter(({ attempt, refundOf }) => attempt === null && refundOf !== null);
  const taken = await context.db.refund.findMany({ where: { id: { in: manual.map(refundIdOf) } }, select: { id: true } });
  const known = new Set(taken.map(({ id }) => id));
  const differences: Difference[] = [];
  for (const record of listed) {
    const { attempt, refundOf, result } = record;
    if (attempt !== null) {
      if (result.status === 'settled' && !attempts.has(attempt)) differences.push(unknownHere(record, false));
      continue;
    }
    if (result.status !== 'settled' || known.has(refundIdOf(record))) continue;
    const charge = refundOf === null ? undefined : attempts.get(refundOf);
    const isRepaired = charge !== undefined && (await takeIn(context, charge.customerId, record, charge.id));
    differences.push(unknownHere(record, isRepaired));
  }
  return differences;
}
