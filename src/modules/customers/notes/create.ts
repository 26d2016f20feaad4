import type { Context } from '../../../request/context.ts';
import { originOf } from '../../../request/event-origin.ts';
import { requireCustomer } from '../customers/store.ts';
import { type CustomerNoteRow, noteRows } from './store.ts';

/** Creates a note about a customer, with the caller as its author. Throws `customer_not_found`. */
export const createNote = (
  ctx: Context,
  { customerId, text }: { readonly customerId: string; readonly text: string },
): Promise<CustomerNoteRow> =>
  noteRows.create(ctx, async (tx) => {
    const customer = await requireCustomer(tx, customerId, 'customerId');
    const { source, actorId } = originOf(tx);
    return { customerId: customer.id, text, source, actorId, editSource: source, editorId: actorId };
  });
