import type { Context } from '../../../request/context.ts';
import { hintChange } from '../../../request/transaction.ts';
import { requireReadable, scheduleRows } from './store.ts';

/** Permanently deletes an export schedule. The exports that it started are kept. Throws `not_found`. */
export const deleteSchedule = (ctx: Context, id: string) =>
  scheduleRows.delete(ctx, id, async (tx, schedule) => {
    requireReadable(tx, schedule);
    hintChange(tx);
  });
