import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { lockCustomerRow } from '../../infra/locks.ts';
import { inTransaction } from '../../transaction.ts';
import { requireCustomer } from '../customers/service.ts';
import { type CustomerCreditRow, requireCredit } from './service.ts';

/** A credit as it stands after a revocation, and what that took from it, minor units. */
export type Revocation = { readonly credit: CustomerCreditRow; readonly revokedMinor: bigint };

/**
 * Withdraws what can still be used of a credit, 0 where nothing can (BIL-19). The customer's lock is held from before the first look, so
 * that of two revocations at once one answers the amount and the other 0. Throws `customer_not_found` and `not_found`.
 */
export const revokeCredit = (context: Context, input: { readonly id: string; readonly creditId: string }): Promise<Revocation> =>
  inTransaction(context, async (inner) => {
    const { id: customerId } = await requireCustomer(inner, input.id);
    await lockCustomerRow(inner.sql, customerId);
    const before = await requireCredit(inner, customerId, input.creditId);
    await executeOne(inner, customerId, { kind: 'credit.revoke', creditId: before.id });
    const credit = await requireCredit(inner, customerId, before.id);
    return { credit, revokedMinor: credit.revokedMinor - before.revokedMinor };
  });
