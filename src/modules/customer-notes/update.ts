import type { Context } from '../../context.ts';
import { originOf } from '../../event-origin.ts';
import { inTransaction } from '../../transaction.ts';
import { type CustomerNoteRow, requireLockedNote } from './store.ts';

/** Changes the text of a note, and keeps who did and when; the same text changes nothing. Throws `not_found`. */
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
