import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { lockRow } from '../../platform/db/locks.ts';
import { inTransaction } from '../../transaction.ts';
import { rejectInUse, requireFeature } from './store.ts';

/** Deletes a feature; its code and name are free again. Throws `feature_not_found`, and `feature_in_use` while a living plan or add-on holds it (CAT-3). */
export const deleteFeature = (ctx: Context, code: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const { id } = await requireFeature(tx, code);
    // Code that attaches the feature or makes an add-on of it holds its row shared, so either this sees that or that sees the deletion.
    await lockRow(tx.sql, 'Feature', id, 'UPDATE');
    await requireFeature(tx, code);
    await rejectInUse(tx, id);
    const now = tx.clock.now();
    await tx.db.feature.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'feature' };
  });
