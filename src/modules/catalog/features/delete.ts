import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { rejectInUse, requireFeature } from './store.ts';

/**
 * Deletes a feature. Its code and name become available for new features. Throws `feature_not_found`. Throws `feature_in_use` if a plan or
 * add-on uses the feature (CAT-3).
 */
export const deleteFeature = (ctx: Context, code: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const { id } = await requireFeature(tx, code);
    // Adding the feature to a plan or add-on takes a shared lock on this row. A concurrent addition therefore commits either before or
    // after the deletion.
    await lockRow(tx.sql, 'Feature', id, 'UPDATE');
    await requireFeature(tx, code);
    await rejectInUse(tx, id);
    const now = tx.clock.now();
    await tx.db.feature.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'feature' };
  });
