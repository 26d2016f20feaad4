import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { hintChange, inTransaction } from '../../transaction.ts';
import { deleteScheduleRow, requireLockedSchedule } from './store.ts';

/** Deletes a schedule permanently; the exports it made stay. Throws `not_found`. */
export const deleteSchedule = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedSchedule(tx, id);
    await deleteScheduleRow(tx.sql, id);
    hintChange(tx);
    return { id, object: 'export_schedule' };
  });
