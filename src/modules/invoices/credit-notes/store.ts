import { specificError } from '../../../domain/errors/errors.ts';
import { loadRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

export type CreditNoteRow = Row<'CreditNote'>;

/** Returns the credit note with this ID. Throws `not_found`. */
export async function requireCreditNote(ctx: Context, id: string): Promise<CreditNoteRow> {
  const note = await loadRow(ctx, 'CreditNote', id);
  if (note === null) throw specificError('not_found', 'credit_note', { param: 'id' });
  return note;
}

/** Returns the credit notes for an invoice, in order of their numbers. Lookups are batched. */
export const loadNotesOf = (ctx: Context, invoiceId: string): Promise<CreditNoteRow[]> =>
  loadRowsBy(ctx, 'CreditNote', 'invoiceId', invoiceId, 'number');
