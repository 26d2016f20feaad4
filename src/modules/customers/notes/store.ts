import { specificError } from '../../../domain/errors/errors.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { originOf } from '../../../request/event-origin.ts';
import { resource } from '../../../request/resource.ts';

export type CustomerNoteRow = Row<'CustomerNote'>;

/** Notes about customers. Deletions are permanent. */
export const noteRows = resource('CustomerNote', {
  prefix: 'note',
  object: 'customer_note',
  notFound: (param) => specificError('not_found', 'customer_note', { param }),
});

/** Returns the changes for a new text of a note, with the caller as the editor. No changes if the text is the same. */
export function editOf(ctx: Context, note: CustomerNoteRow, text: string) {
  const { source: editSource, actorId: editorId } = originOf(ctx);
  return note.text === text ? {} : { text, editSource, editorId };
}
