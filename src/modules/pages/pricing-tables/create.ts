import { specificError } from '../../../domain/errors/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { type TableInput, termsOf } from './check.ts';
import { countTables, type PricingTableRow } from './store.ts';

/** Maximum number of pricing tables in an environment. */
const maxTables = 100;

/**
 * Creates a pricing table (CAT-60). Throws `plan_not_found`, `plan_group_not_found`, and `validation_error` for invalid parameters or if
 * the environment already has the maximum number of tables.
 */
export const createTable = (
  ctx: Context,
  { name, ...input }: TableInput & { readonly name: string },
): Promise<PricingTableRow> =>
  inTransaction(ctx, async (tx) => {
    const terms = await termsOf(tx, null, input);
    // Taking a sequence number locks the environment's counter. The lock serializes the counts of concurrent requests.
    const seq = await nextSeq(tx);
    if ((await countTables(tx)) >= maxTables)
      throw specificError('validation_error', 'too_many_pricing_tables', { values: { most: maxTables } });
    const now = tx.clock.now();
    return tx.db.pricingTable.create({
      data: { id: newId('ptb'), seq, name, ...terms, createdAt: now, updatedAt: now, deletedAt: null },
    });
  });
