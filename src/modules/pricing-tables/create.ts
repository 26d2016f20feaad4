import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { type TableInput, termsOf } from './check.ts';
import { countTables, type PricingTableRow } from './store.ts';

/** Tables of an environment at most. */
const mostTables = 100;

/** Makes a pricing table (CAT-60). Throws `validation_error`, also for one table too many, `plan_not_found` and `plan_group_not_found`. */
export const createTable = (
  ctx: Context,
  { name, ...input }: TableInput & { readonly name: string },
): Promise<PricingTableRow> =>
  inTransaction(ctx, async (tx) => {
    const terms = await termsOf(tx, null, input);
    // The number holds the environment's counter, so that rivals count one after another.
    const seq = await nextSeq(tx);
    if ((await countTables(tx)) >= mostTables)
      throw specificError('validation_error', 'too_many_pricing_tables', { values: { most: mostTables } });
    const now = tx.clock.now();
    return tx.db.pricingTable.create({
      data: { id: newId('ptb'), seq, name, ...terms, createdAt: now, updatedAt: now, deletedAt: null },
    });
  });
