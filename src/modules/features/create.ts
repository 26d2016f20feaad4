import type { Context } from '../../context.ts';
import type { FeatureType } from '../../domain/enums.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { asFeatureExists, type FeatureRow, rejectTaken } from './store.ts';

/** What a creating call says of a feature. */
export type NewFeatureInput = {
  readonly name: string;
  readonly code: string;
  readonly type: FeatureType;
  readonly description?: string | null | undefined;
  readonly unitName?: string | null | undefined;
};

/** Creates a feature. Throws `feature_already_exists` with `param` `code` or `name`, also for a rival at the same moment (CAT-1). */
export async function createFeature(ctx: Context, input: NewFeatureInput): Promise<FeatureRow> {
  try {
    return await inTransaction(ctx, async (tx) => {
      await rejectTaken(tx, input);
      const now = tx.clock.now();
      const { name, code, type, description = null, unitName = null } = input;
      const data = { id: newId('ftr'), seq: await nextSeq(tx), code, name, type, description, unitName };
      return tx.db.feature.create({ data: { ...data, createdAt: now, updatedAt: now, deletedAt: null } });
    });
  } catch (error) {
    throw asFeatureExists(error);
  }
}
