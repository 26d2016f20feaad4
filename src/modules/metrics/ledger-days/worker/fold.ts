import type { Context } from '../../../../request/context.ts';
import { inTransaction } from '../../../../request/transaction.ts';
import { foldTransfers, lockLedgerDayCursor } from '../store.ts';

/**
 * Adds up to `limit` transfers to the sums for an environment leased to `owner`, in one transaction. Returns the number of transfers. 0 if
 * the lease was lost.
 */
export const foldBatch = (ctx: Context, owner: string, limit: number): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    const seq = await lockLedgerDayCursor(tx.sql, owner);
    return seq === null ? 0 : foldTransfers(tx.sql, seq, limit);
  });
