import type { SumSource } from '../../../../domain/metrics/sources.ts';
import type { Context, TransactionContext } from '../../../../request/context.ts';
import { inTransaction } from '../../../../request/transaction.ts';
import { ledgerSource } from '../../ledger-days/store.ts';
import { marginSource } from '../../margin/store.ts';
import { foldEntries } from '../../metrics/worker/fold.ts';
import { outcomeSource } from '../../outcome-days/store.ts';
import { usageSource } from '../../usage-days/store.ts';
import { findUsageSlot } from '../../usage-days/worker.ts';
import { type Cursor, foldRows, foldUntil, lockCursor } from './store.ts';

/** Adds the next rows after the locked cursor to the sums. Returns `true` if more rows may follow. */
type Fold = (tx: TransactionContext, cursor: Cursor, limit: number) => Promise<boolean>;

const folds: Readonly<Record<SumSource, Fold>> = {
  ledger: ({ sql }, _cursor, limit) => foldRows(sql, ledgerSource, limit),
  margin: async ({ sql }, _cursor, limit) => {
    // Usage is added to the same sums. The lock prevents deadlocks between their rows.
    await lockCursor(sql, 'usage', null);
    return foldRows(sql, marginSource, limit);
  },
  outcomes: ({ sql }, _cursor, limit) => foldRows(sql, outcomeSource, limit),
  revenue: foldEntries,
  usage: async (tx, cursor) => {
    const end = await findUsageSlot(tx, cursor);
    if (end !== null) await foldUntil(tx.sql, usageSource, end);
    return end !== null;
  },
};

const timeoutMs = 60_000;

/** Maximum number of rows that one transaction adds. On the embedded database, a batch blocks the whole process. */
const batchSize = { postgres: 10_000, pglite: 2_000 } as const;

/** Maximum number of revenue entries that one transaction adds, because the process computes their sums. */
const maxEntries = 2_000;

/**
 * Adds the next rows of a source to the sums in an environment whose cursor is leased to `owner`, in one transaction. Returns `true` if there
 * may be more work. `false` if the lease was lost. If `owner` is `null`, the lease isn't checked.
 */
export const foldNext = (
  ctx: Context,
  source: SumSource,
  owner: string | null,
  limit: number = source === 'revenue' ? maxEntries : batchSize[ctx.app.database.kind],
): Promise<boolean> =>
  inTransaction(
    ctx,
    async (tx) => {
      const cursor = await lockCursor(tx.sql, source, owner);
      return cursor !== null && folds[source](tx, cursor, limit);
    },
    { clockLock: 'none', timeoutMs },
  );
