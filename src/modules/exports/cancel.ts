import type { Context } from '../../context.ts';
import { hintChange, inTransaction } from '../../transaction.ts';
import { type ExportRow, noteCancel, requireExport } from './store.ts';

/** Ends an export that is waiting, being written or delivered; its bytes are removed by housekeeping. One that has ended stays as it is. Throws `not_found`. */
export const cancelExport = (ctx: Context, id: string): Promise<ExportRow> =>
  inTransaction(
    ctx,
    async (tx) => {
      const row = await requireExport(tx, id);
      if (!(await noteCancel(tx.sql, id, tx.wall.now()))) return row;
      hintChange(tx);
      return requireExport(tx, id);
    },
    { clockLock: 'none' },
  );
