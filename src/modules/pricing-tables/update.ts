import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import { type TableInput, termsOf } from './check.ts';
import { type PricingTableRow, requireLockedTable } from './store.ts';

/** Changes to a pricing table; what is undefined stays. */
export type TableChanges = TableInput & { readonly id: string; readonly name?: string | null | undefined };

/**
 * Changes a pricing table (CAT-60); its `updatedAt` stays when nothing changes. Checkouts that are open already stay as they are. Throws `not_found`,
 * `validation_error`, `plan_not_found` and `plan_group_not_found`.
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
