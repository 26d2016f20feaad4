import type { Context } from '../../../request/context.ts';
import { hintChange, inTransaction } from '../../../request/transaction.ts';
import { type ExportRow, noteCancel, requireExport } from './store.ts';

/**
 * Cancels an export that is queued, running, or being delivered. Housekeeping deletes the export's files. Exports that have ended don't
 * change. Throws `not_found`.
 */
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
