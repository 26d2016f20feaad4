import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { requireLockedNote } from './store.ts';

/** Deletes a note permanently. Throws `not_found`. */
export const deleteNote = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedNote(tx, id);
    await tx.db.customerNote.deleteMany({ where: { id } });
    return { id, object: 'customer_note' };
  });
