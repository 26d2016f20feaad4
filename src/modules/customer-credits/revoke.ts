import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { lockRow } from '../../platform/db/locks.ts';
import { inTransaction } from '../../transaction.ts';
import { requireCustomer } from '../customers/store.ts';
import { type CustomerCreditRow, requireCredit } from './store.ts';

/** A credit as it stands after a revocation, and what that took from it, minor units. */
export type Revocation = { readonly credit: CustomerCreditRow; readonly revokedMinor: bigint };

/**
 * Withdraws what can still be used of a credit, 0 where nothing can (BIL-19). The customer's lock is held from before the first look, so
 * that of two revocations at once one answers the amount and the other 0. Throws `customer_not_found` and `not_found`.
 */
export const revokeCredit = (
  ctx: Context,
  input: { readonly customerId: string; readonly creditId: string },
): Promise<Revocation> =>
  inTransaction(ctx, async (tx) => {
    const { id: customerId } = await requireCustomer(tx, input.customerId, 'customerId');
    await lockRow(tx.sql, 'Customer', customerId);
    const before = await requireCredit(tx, customerId, input.creditId);
    await executeOne(tx, customerId, { kind: 'credit.revoke', creditId: before.id });
    const credit = await requireCredit(tx, customerId, before.id);
    return { credit, revokedMinor: credit.revokedMinor - before.revokedMinor };
  });
