import type { FeatureType } from '../../../domain/rows/enums.ts';
import { searchTextOf } from '../../../domain/text/folding.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { asFeatureExists, type FeatureRow, rejectTaken } from './store.ts';

export type NewFeatureInput = {
  readonly name: string;
  readonly code: string;
  readonly type: FeatureType;
  readonly description?: string | null | undefined;
  readonly unitName?: string | null | undefined;
};

/**
 * Creates a feature. Throws `feature_already_exists` with `code` or `name` as the `param`, even if a concurrent request causes the conflict
 * (CAT-1).
 */
export async function createFeature(ctx: Context, input: NewFeatureInput): Promise<FeatureRow> {
  try {
    return await inTransaction(ctx, async (tx) => {
      await rejectTaken(tx, input);
      const now = tx.clock.now();
      const { name, code, type, description = null, unitName = null } = input;
      const texts = { code, name, searchText: searchTextOf(name, code), description, unitName };
      const data = { id: newId('ftr'), seq: await nextSeq(tx), type, ...texts };
      return tx.db.feature.create({ data: { ...data, createdAt: now, updatedAt: now, deletedAt: null } });
    });
  } catch (error) {
    throw asFeatureExists(error);
  }
}
