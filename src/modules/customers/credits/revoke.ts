import { usableMinor } from '../../../domain/lots/credits.ts';
import { executeOne } from '../../../engine/execute.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireCustomer } from '../customers/store.ts';
import { type CustomerCreditRow, requireCredit } from './store.ts';

/** Customer credit after a revocation. `revokedMinor` is the revoked amount, in minor units. */
export type Revocation = { readonly credit: CustomerCreditRow; readonly revokedMinor: bigint };

/**
 * Revokes the unused amount of a credit (BIL-19). The revoked amount is 0 if the credit is used up. The customer is locked before the
 * credit is read, so that only one of two concurrent revocations returns the amount. Throws `customer_not_found` and `not_found`.
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
    return {
      credit,
      revokedMinor: usableMinor(before, tx.clock.now()) - usableMinor(credit, tx.clock.now()),
    };
  });
