import type { Context } from '../../../request/context.ts';
import { type DownloadLink, signedLink } from '../invoices/sign-link.ts';
import { requireCreditNote } from './store.ts';

/** Page name in tokens for download links. */
export const documentPage = 'credit_note_document';

/** Signs a URL for a credit note's PDF, valid for 7 days in real time. The credit note must exist. */
export const noteDownloadLink = (ctx: Context, id: string): Promise<DownloadLink> =>
  signedLink(ctx, { page: documentPage, path: 'credit-notes', id });

/** Signs a URL for a credit note's PDF. Throws `not_found` if the credit note doesn't exist. */
export async function noteDownloadLinkOf(ctx: Context, creditNoteId: string): Promise<DownloadLink> {
  const { id } = await requireCreditNote(ctx, creditNoteId);
  return noteDownloadLink(ctx, id);
}
