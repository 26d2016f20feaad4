import type { Context } from '../../context.ts';
import { originOf } from '../../event-origin.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { requireCustomer } from '../customers/store.ts';
import type { CustomerNoteRow } from './store.ts';

/** Writes a note about a customer in the name of the caller. Throws `customer_not_found`. */
export const createNote = (
  ctx: Context,
  { customerId, text }: { readonly customerId: string; readonly text: string },
): Promise<CustomerNoteRow> =>
  inTransaction(ctx, async (tx) => {
    const customer = await requireCustomer(tx, customerId, 'customerId');
    const { source, actorId } = originOf(tx);
    const now = tx.clock.now();
    const written = {
      source,
      actorId,
      editSource: source,
      editorId: actorId,
      createdAt: now,
      updatedAt: now,
    };
    return tx.db.customerNote.create({
      data: { id: newId('note'), seq: await nextSeq(tx), customerId: customer.id, text, ...written },
    });
  });
