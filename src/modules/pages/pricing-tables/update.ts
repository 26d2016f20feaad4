import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type TableInput, termsOf } from './check.ts';
import { type PricingTableRow, requireLockedTable } from './store.ts';

/** Changes to a pricing table. A field that is `undefined` keeps its current value. */
export type TableChanges = TableInput & { readonly id: string; readonly name?: string | null | undefined };

/**
 * Updates a pricing table (CAT-60). `updatedAt` stays the same if nothing changes. Open checkouts aren't affected.
 * Throws `not_found`, `validation_error`, `plan_not_found`, and `plan_group_not_found`.
 */
export const updateTable = (ctx: Context, { id, name, ...input }: TableChanges): Promise<PricingTableRow> =>
  inTransaction(ctx, async (tx) => {
    const table = await requireLockedTable(tx, id);
    const next = { name: name ?? table.name, ...(await termsOf(tx, table, input)) };
    if (isDeepStrictEqual({ ...table, ...next }, table)) return table;
    const changes = { ...next, updatedAt: tx.clock.now() };
    await tx.db.pricingTable.update({ where: { id }, data: changes });
    return { ...table, ...changes };
  });
