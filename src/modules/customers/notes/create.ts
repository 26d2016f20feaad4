import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { originOf } from '../../../request/event-origin.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { requireCustomer } from '../customers/store.ts';
import type { CustomerNoteRow } from './store.ts';

/** Creates a note about a customer, with the caller as its author. Throws `customer_not_found`. */
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
