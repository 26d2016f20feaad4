import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireLockedNote } from './store.ts';

/** Deletes a note permanently. Throws `not_found`. */
export const deleteNote = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedNote(tx, id);
    await tx.db.customerNote.deleteMany({ where: { id } });
    return { id, object: 'customer_note' };
  });
