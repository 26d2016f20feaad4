import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { hintChange, inTransaction } from '../../../request/transaction.ts';
import { deleteScheduleRow, requireLockedSchedule } from './store.ts';

/** Permanently deletes an export schedule. The exports that it started are kept. Throws `not_found`. */
export const deleteSchedule = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedSchedule(tx, id);
    await deleteScheduleRow(tx.sql, id);
    hintChange(tx);
    return { id, object: 'export_schedule' };
  });
