import { specificError } from '../../../domain/errors/errors.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

export type CustomerNoteRow = Row<'CustomerNote'>;

/** Locks a note until the transaction ends and returns its current state. Throws `not_found`. */
export async function requireLockedNote(ctx: Context, id: string): Promise<CustomerNoteRow> {
  await lockRow(ctx.sql, 'CustomerNote', id);
  const note = await ctx.db.customerNote.findFirst({ where: { id } });
  if (note === null) throw specificError('not_found', 'customer_note', { param: 'id' });
  return note;
}
