// Records refunds that were made at the payment provider (PAY-26). The provider has already returned the money, so each refund is recorded
// exactly once.

import { execute } from '../../../engine/execute.ts';
import type { Recorded } from '../../../providers/provider.ts';
import type { Context } from '../../../request/context.ts';
import { findTransaction } from '../transactions/store.ts';

/** Provider record of a refund that Quittance didn't request, for a charge that Quittance made. */
export type ManualRefund = Recorded & { readonly attempt: null; readonly refundOf: string };

/** True if a provider record is a refund that Quittance didn't request, for a charge that Quittance made. */
export const isManual = (record: Recorded): record is ManualRefund =>
  record.attempt === null && record.refundOf !== null;

/** Returns the refund ID for a provider record. The same record always has the same ID. */
export const refundIdOf = ({ reference }: Recorded): string => `ref_${reference}`;

/**
 * Result of recording a refund that was made at the provider. `known`: already recorded. `taken`: recorded now. `waiting`: another charge
 * or refund is in progress. `refused`: the charge has no refundable amount.
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
    isReturned: true,
  } as const;
  const [done] = await execute(ctx, [{ customerId, input: command, known: result }]);
  if (done?.outcome.kind !== 'ok') return null;
  return done.outcome.status === 'unchanged' ? 'known' : 'taken';
}

/**
 * Records a successful refund that was made at the provider (PAY-26 … PAY-30). Doesn't call the provider, which has already returned the
 * money. A refund that is reported several times is recorded once.
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
