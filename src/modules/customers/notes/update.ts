import type { Context } from '../../../request/context.ts';
import { originOf } from '../../../request/event-origin.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type CustomerNoteRow, requireLockedNote } from './store.ts';

/** Updates the text of a note and records the editor and the time. Changes nothing if the text is the same. Throws `not_found`. */
export const updateNote = (
  ctx: Context,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<CustomerNoteRow> =>
  inTransaction(ctx, async (tx) => {
    const note = await requireLockedNote(tx, id);
    if (note.text === text) return note;
    const { source: editSource, actorId: editorId } = originOf(tx);
    const changes = { text, editSource, editorId, updatedAt: tx.clock.now() };
    await tx.db.customerNote.update({ where: { id }, data: changes });
    return { ...note, ...changes };
  });
