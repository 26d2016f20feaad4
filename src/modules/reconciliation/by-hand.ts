// Refunds that somebody made at a gateway by hand (PAY-26): the money is on its way back already, and is recorded here once.
import type { Context } from '../../context.ts';
import { execute } from '../../engine/execute.ts';
import type { Recorded } from '../../gateway/gateway.ts';

/** A refund as a gateway has it on record, of a charge of ours. */
export type ReturnedByHand = Recorded & { readonly attempt: null; readonly refundOf: string };

/** Whether what a gateway has on record is a refund of a charge of ours that we did not ask for. */
export const isByHand = (record: Recorded): record is ReturnedByHand => record.attempt === null && record.refundOf !== null;

/** The id of such a refund here; it is the same however often it is found. */
export const refundIdOf = ({ reference }: Recorded): string => `ref_${reference}`;

/**
 * What became of a refund made by hand. `known` before, or `taken` in now; `waiting` for something under way: the answer to the charge, to
 * another refund of it or to a charge of the subscription it ends; `refused` for good, since the charge has no such money left to return.
 */
export type TakenIn = 'known' | 'taken' | 'waiting' | 'refused';

async function execution(context: Context, refund: ReturnedByHand, customerId: string): Promise<TakenIn | null> {
  const { refundOf: transactionId, amountMinor, result } = refund;
  const order = { kind: 'transaction.refund', transactionId, refundId: refundIdOf(refund), amountMinor, reason: null } as const;
  const [done] = await execute(context, [{ customerId, order, known: result }]);
  if (done?.outcome.kind !== 'ok') return null;
  return done.outcome.status === 'unchanged' ? 'known' : 'taken';
}

/**
 * Takes in a refund made by hand that has settled (PAY-26 … PAY-30). The gateway is not asked for it, as it has returned the money already.
 * Told twice, at once or later, it counts once.
 */
export async function takeIn(context: Context, refund: ReturnedByHand): Promise<TakenIn> {
  const where = { id: refund.refundOf };
  const charge = await context.db.transaction.findFirst({ where, select: { customerId: true } });
  if (charge === null) return 'refused';
  const done = await execution(context, refund, charge.customerId);
  if (done !== null) return done;
  const transaction = await context.db.transaction.findFirst({ where });
  if (transaction === null) return 'refused';
  const leftMinor = transaction.amountMinor - transaction.refundedMinor;
  const fits = transaction.status === 'succeeded' && (refund.amountMinor ?? 0n) <= leftMinor;
  return fits || transaction.status === 'pending' ? 'waiting' : 'refused';
}
