// Refunds made at the provider (PAY-26): the money is on its way back already, and is recorded here once.

import type { Context } from '../../context.ts';
import { execute } from '../../engine/execute.ts';
import type { Recorded } from '../../providers/provider.ts';
import { findTransaction } from '../transactions/store.ts';

/** A refund as a gateway has it on record, of a charge of ours. */
export type ManualRefund = Recorded & { readonly attempt: null; readonly refundOf: string };

/** Whether what a gateway has on record is a refund of a charge of ours that we did not ask for. */
export const isManual = (record: Recorded): record is ManualRefund =>
  record.attempt === null && record.refundOf !== null;

/** The id of such a refund here; it is the same however often it is found. */
export const refundIdOf = ({ reference }: Recorded): string => `ref_${reference}`;

/**
 * The result for a refund made at the provider. `known` before, or `taken` in now; `waiting` for something under way: the answer to the charge, to
 * another refund of it or to a charge of the subscription it ends; `rejected` permanently, since the charge has no such money left to return.
 */
export type TakenIn = 'known' | 'taken' | 'waiting' | 'refused';

async function execution(ctx: Context, refund: ManualRefund, customerId: string): Promise<TakenIn | null> {
  const { refundOf: transactionId, amountMinor, result } = refund;
  const command = {
    kind: 'transaction.refund',
    transactionId,
    refundId: refundIdOf(refund),
    amountMinor,
    reason: null,
  } as const;
  const [done] = await execute(ctx, [{ customerId, input: command, known: result }]);
  if (done?.outcome.kind !== 'ok') return null;
  return done.outcome.status === 'unchanged' ? 'known' : 'taken';
}

/**
 * Records a refund made at the provider that has settled (PAY-26 … PAY-30). The provider is not called, as it has returned the money already.
 * A refund that is reported twice counts once.
 */
export async function takeIn(ctx: Context, refund: ManualRefund): Promise<TakenIn> {
  const charge = await findTransaction(ctx, refund.refundOf);
  if (charge === null) return 'refused';
  const done = await execution(ctx, refund, charge.customerId);
  if (done !== null) return done;
  const transaction = await findTransaction(ctx, refund.refundOf);
  if (transaction === null) return 'refused';
  const leftMinor = transaction.amountMinor - transaction.refundedMinor;
  const fits = transaction.status === 'succeeded' && (refund.amountMinor ?? 0n) <= leftMinor;
  return fits || transaction.status === 'pending' ? 'waiting' : 'refused';
}
